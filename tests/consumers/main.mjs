// main.mjs STAGE WIRING WHO KERNEL: the scenarios of a kernel (whole, partial, unusable), for one wiring, as one user.
import { run } from './suite.mjs'

const [, , who, kernel] = process.argv.slice(2)
await import(`./${kernel}.mjs`)
await run(who)
