import { expect } from 'chai';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './cli.spec.support.js';

describe('countersign templates', () => {
  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-templates-'));
    const plugin = fileURLToPath(new URL('./greeting-plugin.js', import.meta.url));
    await writeFile(join(cwd, 'countersign.config.yaml'), `Plugins: [${JSON.stringify(plugin)}]\n`);
  });

  afterEach(() => rm(cwd, { recursive: true, force: true }));

  it('should print the templates of all connectors, including configured plugins, without starting a server', async () => {
    const { code, stdout, stderr } = await run(['templates'], { cwd });

    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const ids = (JSON.parse(stdout) as { readonly id: string }[]).map(({ id }) => id);
    expect(ids).to.include.members(['countersign.http', 'test.greeting']);
    expect(await readdir(cwd)).to.deep.equal(['countersign.config.yaml']);
  });

  it('should write one file per template to the directory in --out', async () => {
    const { code, stdout } = await run(['templates', '--out', 'made/here'], { cwd });

    expect(code).to.equal(0);
    expect(stdout).to.match(/^\d+ templates written to made\/here\.\n$/);
    expect(await readdir(join(cwd, 'made', 'here'))).to.include.members([
      'countersign.http.json',
      'test.greeting.json',
    ]);
    expect(JSON.parse(await readFile(join(cwd, 'made', 'here', 'test.greeting.json'), 'utf8'))).to.include({
      id: 'test.greeting',
      version: 2,
    });
  });

  it('should report an error if the output directory is not writable', async () => {
    const { code, stderr } = await run(['templates', '--out', 'countersign.config.yaml'], { cwd });

    expect(code).to.equal(1);
    expect(stderr).to.contain('error templates_not_written: ').and.contain('--out');
  });
});
