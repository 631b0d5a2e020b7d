// Follows the README like a user with a fresh clone: starts the server with `npm start`, starts a run over HTTP,
// approves it until the run completes, and stops the server with Ctrl-C. Uses a temporary data directory and a free
// port, so that it does not affect a running server.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Includes a build on a slow machine. */
const START_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 100;

const root = fileURLToPath(new URL('..', import.meta.url));
const parent = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-smoke-'));
const data = join(parent, 'data');

/** Runs in a separate process group: like Ctrl-C, the signal goes to the whole group. */
const server = spawn('npm', ['start', '--', '--port', '0', '--data', data], {
  cwd: root,
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
});
let output = '';
for (const stream of [server.stdout, server.stderr]) {
  stream.on('data', (chunk) => {
    output += chunk;
    process.stderr.write(chunk);
  });
}
const closed = once(server, 'close');

try {
  const url = await until(
    'the server prints its address',
    () => /runs on (\S+)[\s\S]*Press Ctrl-C to stop/.exec(output)?.[1],
    START_TIMEOUT_MS,
  );
  await runAndApprove(url);
  process.kill(-server.pid, 'SIGINT');
  // npm exits because of the signal. `close` means that the server has exited too, because no process has its output
  // open.
  const [code, signal] = await withTimeout(STOP_TIMEOUT_MS, 'the server stops', closed);
  if (code !== 0 && signal !== 'SIGINT') throw new Error(`npm start ended with ${code ?? signal}.`);
  if (
    await fetch(url).then(
      () => true,
      () => false,
    )
  )
    throw new Error('The address of the server still responds after the server has stopped.');
  process.stdout.write('A run was started, approved and completed over HTTP, and the server has stopped.\n');
} catch (error) {
  process.stdout.write(`${error.message}\n`);
  process.exitCode = 1;
  if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid, 'SIGKILL');
  await closed;
} finally {
  rmSync(parent, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** Runs the example of the README with this repository. */
async function runAndApprove(url) {
  const [ann, bob] = [createToken('operator', 'ann'), createToken('approver', 'bob')];
  const request = async (token, path, body) => {
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(
      `${url}/api${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    );
    const responseText = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${responseText}`);
    return JSON.parse(responseText);
  };
  const inputs = { repository: root.replace(/\/$/, ''), from: 'HEAD~1', to: 'HEAD', version: '0.1.0' };
  const { runId } = await request(ann, '/runs', { workflowId: 'release-approval', inputs });
  const approval = await until(
    'the run asks for an approval',
    async () => (await request(bob, `/approvals?runId=${runId}`)).items[0],
    RUN_TIMEOUT_MS,
  );
  await request(bob, `/approvals/${approval.approvalId}/decision`, {
    decision: 'approve',
    expectedDigest: approval.digest,
  });
  const run = await until(
    'the run ends',
    async () => {
      const found = await request(ann, `/runs/${runId}`);
      if (found.status === 'failed') throw new Error(`The run failed: ${JSON.stringify(found.error)}`);
      return found.outcome !== null && found;
    },
    RUN_TIMEOUT_MS,
  );
  if (run.outcome !== 'completed') throw new Error(`The run ended as ${run.outcome}.`);
}

function createToken(role, subject) {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['countersign', 'token', '--data', data, '--role', role, '--subject', subject],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`Could not create a token: ${stderr}`);
  return stdout.trim();
}

async function until(condition, poll, timeoutMs) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await poll();
    if (found !== undefined && found !== false) return found;
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`The server exited before this condition was met: ${condition}.`);
    if (performance.now() > end)
      throw new Error(`This condition was not met within ${timeoutMs / 1000} s: ${condition}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

async function withTimeout(milliseconds, condition, promise) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`This condition was not met within ${milliseconds / 1000} s: ${condition}.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
