// What the consumer makes of our launcher where the kernel has no Landlock: nothing may run.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { probe } from '@deepseek-ai/node-addon-landlock-run'
import { absent, has, scene, scenes, wiring } from './scene.mjs'

if (wiring === 'replaced') scene('without Landlock probe calls it unusable', () => assert.equal(probe(), 'unusable'))

for (const mode of ['read-only', 'workspace-write']) {
  scenes(`without Landlock there is no sandbox and a ${mode} command does not run`, 0, async ({ attempt, workspace, inTmp }) => {
    has(await attempt('echo ran >ran; echo ran >"$IN_TMP"', mode), { unavailable: true })
    absent(join(workspace, 'ran'))
    absent(inTmp)
  })
}
