import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli.spec.support.js';

const rule = (condition: string) => `
@id("all") @rationale("All is permitted.") permit (principal, action, resource);
@id("forbid") @rationale("This access is forbidden.")
forbid (principal, action, resource) when { ${condition} };
`;

describe('countersign policy check', function () {
  this.timeout(120_000);

  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-policy-'));
    await mkdir(join(cwd, 'policies'));
  });

  afterEach(() => rm(cwd, { recursive: true, force: true }));

  const check = async (condition: string, command: readonly string[]) => {
    await writeFile(join(cwd, 'policies', 'hosts.cedar'), rule(condition));
    return run(command, { cwd });
  };
  const CHECK_COMMAND = ['policy', 'check', 'policies'];

  it('should accept a non-ASCII domain name', async () => {
    expect(await check('context.domains.contains("bücher.example")', CHECK_COMMAND)).to.include({
      code: 0,
      stderr: '',
    });
  });

  for (const [condition, expectedMessage] of [
    ['context.hosts.contains("pastebin.example:8443")', 'check the port with context.ports.contains(8443)'],
    ['context.domains.contains("https://pastebin.example")', 'never matches a host'],
    ['context.domains.containsAny(["a.example", "*.example"])', 'never matches a host'],
    ['context.ports.contains(65536)', 'never matches a port'],
    ['!context.ports.isEmpty()', 'write [443].containsAll(context.ports)'],
  ] as const) {
    it(`should report a condition that misuses hosts or ports: ${condition}`, async () => {
      const result = await check(condition, CHECK_COMMAND);

      expect(result.code).not.to.equal(0);
      expect(result.stderr).to.contain('hosts.cedar').and.to.contain(expectedMessage);
    });
  }

  it('should also check the policies at the start of a server, and refuse to start', async () => {
    await writeFile(join(cwd, 'countersign.config.yaml'), 'Policies: { Directory: policies }\n');

    const startResult = await check('context.ports.contains(65536)', ['start', '--development', '--port', '0']);

    expect(startResult.code).not.to.equal(0);
    expect(`${startResult.stdout}${startResult.stderr}`)
      .to.contain('hosts.cedar')
      .and.to.contain('never matches a port');
  });
});
