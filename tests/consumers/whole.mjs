// What the consumer makes of our launcher on a kernel that governs all that is asked for.
// Each scenario looks at what was left on disk, for a message can claim anything.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launcherPath, probe } from '@deepseek-ai/node-addon-landlock-run'
import { absent, has, holds, isGone, launcher, needsAbi, says, scene, scenes, soon, wholeAbi, wiring } from './scene.mjs'

const profiles = JSON.parse(readFileSync(new URL('profiles.json', import.meta.url), 'utf8'))
const own = (exitCode) => ({ unavailable: false, exitCode, signal: null, denied: false, enforcement: 'full' })

// ---- That it is our launcher ----

if (wiring === 'replaced') {
  scene('launcherPath finds our bytes and probe calls them full', () => {
    needsAbi(wholeAbi)
    assert.ok(launcherPath().includes('/node_modules/@deepseek-ai/node-addon-landlock-run-linux-'))
    assert.ok(readFileSync(launcherPath()).equals(readFileSync(launcher)), 'not our bytes')
    assert.equal(probe(), 'full')
  })
}

for (const mode of ['read-only', 'workspace-write']) {
  scene(`${mode} is asked of our launcher in the words that are known`, ({ ctx, workspace }) => {
    needsAbi(wholeAbi)
    const start = { replaced: [launcherPath()], rung: [launcher], runner: ['landlock-run', 'bwrap', '--share-pids', '--share-tmp'] }
    const profile = profiles[wiring === 'runner' ? 'bwrap' : 'landlock'][mode]
    assert.deepEqual(ctx.sandbox.confine(['bash', '-c', ':'], { mode, workspaceRoot: workspace }).argv,
      [...start[wiring], ...profile.map((word) => (word === 'WORKSPACE' ? workspace : word)), '--', 'bash', '-c', ':'])
  })
}

// ---- What a command can do ----

scenes('read-only reads everything and changes nothing', wholeAbi, async ({ attempt, workspace, inTmp }) => {
  writeFileSync(join(workspace, 'file'), 'before')
  const outcome = await attempt(`cat file; ls / >/dev/null && echo , listed; rm file; echo x >new; echo x >"$IN_TMP"
    echo x >/dev/shm/\${IN_TMP##*/} || echo refused; echo x >file`, 'read-only')
  has(outcome, { ...own(1), denied: true, stdout: 'before, listed\nrefused\n' })
  holds(join(workspace, 'file'), 'before')
  absent(join(workspace, 'new'))
  absent(inTmp)
})

scenes('a read-only command that only reads is no denial', wholeAbi, async ({ attempt, workspace }) => {
  writeFileSync(join(workspace, 'file'), 'text')
  has(await attempt('cat file; echo x >/dev/null', 'read-only'), { ...own(0), stdout: 'text', stderr: '' })
})

scenes('workspace-write changes the workspace and tmp', wholeAbi, async ({ attempt, workspace, inTmp }) => {
  const outcome = await attempt('mkdir -p a b && echo moved >a/file && mv a/file b/ && rmdir a && echo tmp >"$IN_TMP"', 'workspace-write')
  has(outcome, { ...own(0), stderr: '' })
  holds(join(workspace, 'b/file'), 'moved\n')
  absent(join(workspace, 'a'))
  holds(inTmp, 'tmp\n')
})

scenes('workspace-write changes nothing outside and that is a denial', wholeAbi, async ({ attempt, place }) => {
  writeFileSync(join(place, 'outside'), 'before')
  const outcome = await attempt('echo x >../new; rm ../outside; echo x >inside; ln -s . ../link; echo x >../outside', 'workspace-write')
  has(outcome, { ...own(1), denied: true })
  holds(join(place, 'outside'), 'before')
  absent(join(place, 'new'))
  absent(join(place, 'link'))
  holds(join(place, 'work späce/inside'), 'x\n')
})

scenes('input, environment and working directory arrive', wholeAbi, async ({ attempt, workspace, inTmp }) => {
  await attempt('cat >input; echo -n "$IN_TMP" >environment; pwd -P >directory', 'workspace-write', { stdin: 'given' })
  holds(join(workspace, 'input'), 'given')
  holds(join(workspace, 'environment'), inTmp)
  holds(join(workspace, 'directory'), `${workspace}\n`)
})

// The modes of the sandbox do not promise it where the launcher is used as published; DIFFERENCES.md tells.
if (wiring === 'runner') {
  scenes('read-only changes no mode and that is a denial', wholeAbi, async ({ attempt, workspace }) => {
    const file = join(workspace, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    has(await attempt('chmod 644 file', 'read-only'), { ...own(1), denied: true })
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })
}

// ---- How it ends ----

for (const status of [1, 2, 125, 126, 127]) {
  scenes(`a status ${status} is the commands own`, wholeAbi, async ({ attempt, workspace }) => {
    has(await attempt(`echo ran >ran; exit ${status}`, 'workspace-write'), own(status))
    holds(join(workspace, 'ran'), 'ran\n')
  })
}

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGABRT']) {
  scenes(`a death by ${signal} is a death by ${signal}`, wholeAbi, async ({ attempt, workspace }) => {
    const outcome = await attempt(`ulimit -c 0; echo ran >ran; kill -${signal} $$`, 'workspace-write')
    has(outcome, { ...own(null), signal })
    holds(join(workspace, 'ran'), 'ran\n')
  })
}

scenes('a stop takes the command and all it started', wholeAbi, async ({ attempt, workspace }) => {
  const pids = join(workspace, 'pids')
  const stopWhen = soon(() => existsSync(pids), 'the command runs')
  const outcome = await attempt('sleep 300 & echo $! $$ >new; mv new pids; wait', 'workspace-write', { stopWhen })
  has(outcome, { ...own(null), signal: 'SIGTERM' })
  for (const pid of readFileSync(pids, 'utf8').trim().split(' ')) await soon(() => isGone(pid), `${pid} is gone`)
})

// ---- That there is no sandbox ----

scenes('a missing workspace is no sandbox and the command does not run', wholeAbi, async ({ attempt, place, inTmp }) => {
  const missing = join(place, 'missing')
  const outcome = await attempt('echo ran >"$IN_TMP"', 'workspace-write', { workspaceRoot: missing })
  has(outcome, { unavailable: true })
  says(outcome.detail, `landlock-run: cannot open rule path: ${missing}: `)
  absent(inTmp)
  absent(missing)
})

if (wiring === 'runner') {
  scenes('a missing launcher is no sandbox and the command does not run', 0, async ({ attempt, inTmp }) => {
    has(await attempt('echo ran >"$IN_TMP"', 'workspace-write'), { unavailable: true })
    absent(inTmp)
  }, { runnerCommand: ['/nonexistent/landlock-run', 'bwrap', '--share-pids', '--share-tmp'] })

  // A harness that asks for private processes appends it; here it is the last word that is configured.
  for (const [name, unavailable, ...waivers] of [
    ['private processes are refused when they are not waived', true, '--share-tmp'],
    ['private processes can be asked for when they are waived', false, '--share-pids', '--share-tmp'],
  ]) {
    scenes(name, wholeAbi, async ({ attempt, workspace }) => {
      const outcome = await attempt('echo ran >ran', 'workspace-write')
      has(outcome, unavailable ? { unavailable } : own(0))
      if (unavailable) says(outcome.detail, '--unshare-pid')
      if (unavailable) absent(join(workspace, 'ran'))
      else holds(join(workspace, 'ran'), 'ran\n')
    }, { runnerCommand: ['landlock-run', 'bwrap', ...waivers, '--unshare-pid'] })
  }
}

if (wiring === 'rung') {
  scenes('a missing launcher is no sandbox and the command does not run', 0, async ({ ctx, attempt, inTmp }) => {
    ctx.sandbox.internals.landlockLauncher = '/nonexistent/landlock-run'
    has(await attempt('echo ran >"$IN_TMP"', 'workspace-write'), { unavailable: true })
    absent(inTmp)
  })
}

// ---- A command that pretends to be the launcher ----

const NOTICE = 'landlock-run: partial enforcement (older Landlock ABI)'
const FATAL = 'landlock-run: exec failed: bash: No such file or directory'
// Two conditions, a line and the status 125, tell a failure of the launcher; as a runnerCommand the line alone does.
const fooled = { 0: [], 1: ['runner'], 125: ['replaced', 'rung', 'runner'] }

for (const [status, wirings] of Object.entries(fooled)) {
  const taken = wirings.includes(wiring)
  scenes(`a fake fatal line and status ${status} is ${taken ? 'taken for the launchers' : 'the commands own'}`, wholeAbi,
    async ({ attempt, workspace }) => {
      const outcome = await attempt(`echo ran >ran; echo '${FATAL}' >&2; exit ${status}`, 'workspace-write')
      has(outcome, taken ? { unavailable: true } : own(Number(status)))
      holds(join(workspace, 'ran'), 'ran\n')
    })
}

scenes(`a fake notice and status 125 is ${wiring === 'runner' ? 'taken for the launchers' : 'the commands own'}`, wholeAbi,
  async ({ attempt, workspace }) => {
    const outcome = await attempt(`echo ran >ran; echo '${NOTICE}' >&2; exit 125`, 'workspace-write')
    has(outcome, wiring === 'runner' ? { unavailable: true } : own(125))
    holds(join(workspace, 'ran'), 'ran\n')
  })
