// What the scenarios share: a place of its own for each, the kernel they need, and what they look at on disk.
// Nothing here may lie beneath /tmp, which workspace-write grants, but what is named by `inTmp`.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compose, ways } from './consumer.mjs'
import { Skip, test } from './suite.mjs'

const [stage, wiring, who] = process.argv.slice(2)
export { wiring, who }
export const launcher = join(stage, 'bin/landlock-run')

// Where the provider is to find no working bubblewrap there is one that fails; elsewhere one that would pretend to have run.
process.env.PATH = [join(stage, 'bin'), join(stage, wiring === 'replaced' ? 'no-bwrap' : 'false-bwrap'), process.env.PATH].join(':')

// The ABI that the kernel claims; 0 where there is no Landlock to be had.
const abi = JSON.parse(spawnSync(launcher, ['--mode', 'read-only', '--dry-run'], { encoding: 'utf8' }).stdout).abi

export function needsAbi(least) {
  const lack = `needs Landlock ABI ${least}; this kernel has ${abi || 'none'}`
  if (least > 0 && abi === 0 && process.env.LANDLOCK_RUN_MUST_ENFORCE === '1') assert.fail(lack)
  if (abi < least) throw new Skip(lack)
}

// Everything that is asked for is governed: the file rights, and with the strict wiring signals too.
export const wholeAbi = wiring === 'runner' ? 6 : 5

let count = 0

// A test in a place of its own: `place` with the directory `workspace` in it, and `inTmp`, a path that is free.
export function scene(name, body, config) {
  test(`${wiring} ${name}`, async () => {
    const place = mkdtempSync(join(stage, 'places', `${who}-`))
    const workspace = join(place, 'work späce')
    const inTmp = `/tmp/landlock-run-consumers-${process.pid}-${++count}`
    mkdirSync(workspace)
    const ctx = await compose(wiring, workspace, config)
    try {
      await body({ ctx, place, workspace, inTmp })
    } finally {
      await ctx.fiber.dispose()
      rmSync(place, { recursive: true })
      rmSync(inTmp, { force: true })
    }
  })
}

// The same in the foreground and in the background; `attempt` runs a command in the workspace.
export function scenes(name, least, body, config) {
  for (const way of Object.keys(ways)) {
    scene(`${way} ${name}`, (context) => {
      needsAbi(least)
      const attempt = (command, mode, request = {}) => ways[way](context.ctx, {
        command,
        workdir: context.workspace,
        env: { IN_TMP: context.inTmp },
        sandboxPolicy: { mode, workspaceRoot: request.workspaceRoot ?? context.workspace },
        ...request,
      })
      return body({ ...context, way, attempt })
    }, config)
  }
}

// ---- What is looked at ----

// The members that are named, and no others, have these values.
export function has(outcome, expected) {
  const actual = Object.fromEntries(Object.keys(expected).map((key) => [key, outcome[key]]))
  assert.deepEqual(actual, expected, `${JSON.stringify(outcome)} is not ${JSON.stringify(expected)}`)
}

export const holds = (path, text) => assert.equal(readFileSync(path, 'utf8'), text, path)
export const absent = (path) => assert.ok(!existsSync(path), `${path} exists`)
export const says = (text, part) => assert.ok(text.includes(part), `${JSON.stringify(text)} lacks ${part}`)

// Gone, or dead and not yet collected by whoever has inherited it.
export function isGone(pid) {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

export async function soon(condition, what) {
  for (const end = Date.now() + 20000; !condition();) {
    if (Date.now() > end) assert.fail(`not within 20 s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
