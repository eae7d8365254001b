// Tests that are written down and then run, and the lines that the test runner reads.
// A failure is what a test throws; nothing passes without having run.
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const tests = []

// A test's name is a claim, in words.
export function test(name, body) {
  tests.push({ name: name.replaceAll(' ', '_'), body })
}

export class Skip extends Error {}

// Where in the tests it was thrown: the first line of the stack that is neither a package's nor a helper's.
const helpers = ['suite.mjs', 'scene.mjs', 'consumer.mjs']
function place(error) {
  for (const [, url, line] of (error.stack ?? '').matchAll(/(file:\/\/[^\s)]+?):(\d+):\d+/g)) {
    const file = basename(fileURLToPath(url))
    if (!url.includes('/node_modules/') && !helpers.includes(file)) return `${file}:${line}`
  }
  return 'nowhere'
}

const oneLine = (text) => text.split('\n').map((line) => line.trim()).filter(Boolean).join(' ')

// Runs them in turn. `who` is appended to each name, for a run as somebody else has the same ones.
export async function run(who) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { name, body } of tests) {
    try {
      await body()
      console.log(`ok ${name}_${who}`)
      counts.passed++
    } catch (error) {
      if (error instanceof Skip) {
        console.log(`skip ${name}_${who}: ${error.message}`)
        counts.skipped++
      } else {
        console.log(`FAIL ${name}_${who}: ${place(error)}: ${oneLine(error.message ?? String(error))}`)
        counts.failed++
      }
    }
  }
  console.log(`SUITE: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exitCode = counts.failed === 0 ? 0 : 1
}
