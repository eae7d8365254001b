// What the consumer makes of our launcher on a kernel of ABI 2, which governs neither truncation nor ioctl.
// The file effects that it does govern must hold there too; each scenario looks at what was left on disk.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { probe } from '@deepseek-ai/node-addon-landlock-run'
import { absent, has, holds, needsAbi, says, scene, scenes, wiring } from './scene.mjs'

const NOTICE = 'landlock-run: partial enforcement (older Landlock ABI)\n'
const own = (exitCode) => ({ unavailable: false, exitCode, signal: null, denied: false, enforcement: 'partial', stderr: NOTICE })

if (wiring === 'runner') {
  scenes('on ABI 2 the strict wiring is no sandbox and the command does not run', 2, async ({ attempt, workspace, inTmp }) => {
    for (const mode of ['read-only', 'workspace-write']) {
      const outcome = await attempt('echo ran >ran; echo ran >"$IN_TMP"', mode)
      has(outcome, { unavailable: true })
      says(outcome.detail, 'needs ABI ')
      says(outcome.detail, 'this kernel reports ABI 2')
    }
    absent(join(workspace, 'ran'))
    absent(inTmp)
  })
} else {
  if (wiring === 'replaced') {
    scene('on ABI 2 probe calls it partial', () => {
      needsAbi(2)
      assert.equal(probe(), 'partial')
    })
  }

  if (wiring === 'rung') {
    // Why the snippet in WIRING.md leaves two rungs.
    scene('on ABI 2 a chain of one rung would be called full', ({ ctx, workspace }) => {
      needsAbi(2)
      ctx.sandbox.internals.chain = ['landlock']
      assert.equal(ctx.sandbox.confine(['true'], { mode: 'read-only', workspaceRoot: workspace }).enforcement, 'full')
    })
  }

  scenes('on ABI 2 a command runs and its result says partial', 2, async ({ attempt, workspace, inTmp }) => {
    has(await attempt('mkdir a && echo x >a/file && mv a/file . && echo x >"$IN_TMP"', 'workspace-write'), own(0))
    holds(join(workspace, 'file'), 'x\n')
    holds(inTmp, 'x\n')
  })

  for (const status of [1, 2, 125]) {
    scenes(`on ABI 2 a child that fails with ${status} is no broken sandbox`, 2, async ({ attempt, workspace }) => {
      has(await attempt(`echo ran >ran; exit ${status}`, 'workspace-write'), own(status))
      holds(join(workspace, 'ran'), 'ran\n')
    })
  }

  scenes('on ABI 2 a death by a signal is no broken sandbox', 2, async ({ attempt, workspace }) => {
    has(await attempt('echo ran >ran; kill -KILL $$', 'workspace-write'), { ...own(null), signal: 'SIGKILL' })
    holds(join(workspace, 'ran'), 'ran\n')
  })

  scenes('on ABI 2 a write outside is a denial', 2, async ({ attempt, place }) => {
    writeFileSync(join(place, 'outside'), 'before')
    const outcome = await attempt('rm ../outside; echo x >>../outside', 'workspace-write')
    has(outcome, { ...own(1), denied: true, stderr: outcome.stderr })
    holds(join(place, 'outside'), 'before')
  })

  scenes('on ABI 2 read-only changes nothing', 2, async ({ attempt, workspace, inTmp }) => {
    const outcome = await attempt('echo x >"$IN_TMP"; echo x >/dev/null && echo x >new', 'read-only')
    has(outcome, { ...own(1), denied: true, stderr: outcome.stderr })
    absent(join(workspace, 'new'))
    absent(inTmp)
  })

  scenes('on ABI 2 a missing workspace is no sandbox', 2, async ({ attempt, place, inTmp }) => {
    const outcome = await attempt('echo ran >"$IN_TMP"', 'workspace-write', { workspaceRoot: join(place, 'missing') })
    has(outcome, { unavailable: true })
    says(outcome.detail, 'landlock-run: cannot open rule path: ')
    absent(inTmp)
  })

  scenes('on ABI 2 a fake fatal line and status 1 is the commands own', 2, async ({ attempt, workspace }) => {
    const outcome = await attempt('echo ran >ran; echo "landlock-run: exec failed" >&2; exit 1', 'workspace-write')
    has(outcome, { ...own(1), stderr: `${NOTICE}landlock-run: exec failed\n` })
    holds(join(workspace, 'ran'), 'ran\n')
  })
}
