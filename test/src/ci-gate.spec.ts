import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { interrupt, processesOf, startInTerminal, type InTerminal } from './start/terminal.spec.support.js';
import { until } from './recovery/until.spec.support.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const example = join(root, 'examples/ci-gate');

/** What the README tells people to paste, in its order. */
async function pasted(): Promise<string> {
  const readme = await readFile(join(example, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh send\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');
}

describe('example: CI gate, as its README says', function () {
  this.timeout(120_000);

  let dataDirectory: string;
  let server: InTerminal;
  const secrets = { CODEHOST_SECRET: randomBytes(32).toString('hex'), CI_SECRET: randomBytes(32).toString('hex') };

  before(async function () {
    // The server's processes are looked up in /proc.
    if (process.platform !== 'linux') this.skip();
    dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-ci-gate-'));
    const environment = { Integrations__CodeHost__Secret: secrets.CODEHOST_SECRET, Integrations__EventIngress__Sources__0__Secret: secrets.CI_SECRET };
    server = startInTerminal(dataDirectory, { environment, options: ['--config', join(example, 'countersign.config.yaml')] });
    await server.url;
  });

  after(async () => {
    if (server === undefined) return;
    interrupt(server.child, 'SIGINT');
    await server.closed;
    await until('nothing runs any more', async () => (await processesOf(dataDirectory)).length === 0);
    await rm(dataDirectory, { recursive: true, force: true });
  });

  it('should open by an issue, and close by a build that has passed and a person who agrees', async () => {
    // when
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', await pasted()], { cwd: root, env: { ...process.env, ...secrets, URL: await server.url } });

    // then
    const [runId, failed, passed, again, forged, ...rest] = stdout.split('\n').filter((line) => line !== '');
    expect(JSON.parse(failed ?? '')).to.include({ resumed: true, duplicate: false, runId, messageName: 'ci.failed', correlationKey: 'acme/shop#7' });
    expect(JSON.parse(passed ?? '')).to.include({ resumed: true, duplicate: false, runId, messageName: 'ci.passed' });
    expect(JSON.parse(again ?? '')).to.deep.equal({ ...(JSON.parse(passed ?? '') as object), duplicate: true });
    expect(forged).to.equal('invalid_signature');
    const told = rest.join('\n');
    expect(told).to.match(/title: 'Totals are rounded twice'/).and.match(/failuresBefore: 1/);
    expect(told).to.match(/^approved$/m).and.match(/^completed$/m);
    expect(told).to.match(/^matched {2}event-ingress {2}ci {2}ci\.passed$/m).and.match(/^matched {2}codehost-webhook {2}codehost {2}codehost\.issues\.opened$/m);
    expect(told).to.match(/^refused {2}event-ingress {2}/m);
  });
});
