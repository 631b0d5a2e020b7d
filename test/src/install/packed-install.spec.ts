import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startInstalled } from './start-installed.spec.support.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** What somebody gets who installs Countersign from a registry. */
describe('the packed packages', function () {
  this.timeout(300_000);

  let directory: string;
  let project: string;
  let manifests: Manifest[];
  let packed: Packed[];

  before(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign packed '));
    project = join(directory, 'project');
    await mkdir(project);
    const folders = await publishable();
    manifests = folders.map(({ manifest }) => manifest);
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--loglevel=error', '--pack-destination', directory, ...folders.map(({ folder }) => folder)],
      { cwd: ROOT, maxBuffer: 2 ** 26 },
    );
    packed = JSON.parse(stdout) as Packed[];
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'somebody', version: '1.0.0', private: true, type: 'module' }),
    );
    await run(
      'npm',
      [
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        ...packed.map(({ filename }) => join(directory, filename)),
      ],
      { cwd: project, maxBuffer: 2 ** 26 },
    );
  });

  after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  it('should hold what was built and nothing of the tests', () => {
    expect(packed.map(({ name }) => name).sort()).to.deep.equal(manifests.map(({ name }) => name).sort());
    for (const { name, files } of packed) {
      const paths = files.map(({ path }) => path);
      // The web UI is no module: it is served as it was built.
      expect(paths, name).to.include.members(
        name === '@countersign/web'
          ? ['package.json', 'bundle/index.html', 'bundle/favicon.svg']
          : ['package.json', 'dist/index.js', 'dist/index.d.ts'],
      );
      expect(
        paths.filter((path) => /\.spec\.|\.tsbuildinfo$|^src\//.test(path)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('should be there under all names that they export, and under no others', async () => {
    const names = manifests.flatMap(({ name, exports }) =>
      name === '@countersign/web' ? [] : Object.keys(exports).map((entry) => join(name, entry)),
    );
    expect(names).to.include.members(['@countersign/core', '@countersign/core/plugin', '@countersign/core/engine']);
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0);
      console.log(await import('@countersign/core/dist/index.js').catch((error) => error.code));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project });
    expect(stdout.trim().split('\n')).to.deep.equal([
      ...names.map((name) => `${name} true`),
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ]);
  });

  it('should tell its version', async () => {
    const { stdout } = await run('npx', ['--no-install', 'countersign', '--version'], { cwd: project });
    expect(stdout.trim()).to.equal(
      (JSON.parse(await readFile(join(ROOT, 'packages/server/package.json'), 'utf8')) as { version: string }).version,
    );
  });

  it('should start, be well, serve the web UI, and stop', async () => {
    // given
    const server = await startInstalled(project);

    // when
    const ready = await fetch(`${server.url}/api/health/ready`);
    const page = await fetch(`${server.url}/runs`, { headers: { accept: 'text/html' } });
    const code = await server.stop();

    // then
    expect(ready.status).to.equal(200);
    expect(await page.text()).to.contain('<title>Countersign</title>');
    expect(code, server.output()).to.equal(0);
  });
});

async function publishable(): Promise<{ folder: string; manifest: Manifest }[]> {
  const parents = ['packages', 'packages/plugins'];
  const folders = (
    await Promise.all(
      parents.map(async (parent) => (await readdir(join(ROOT, parent))).map((name) => `./${parent}/${name}`)),
    )
  ).flat();
  const found = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(ROOT, folder, 'package.json'), 'utf8').catch(() => undefined);
      return text === undefined ? [] : [{ folder, manifest: JSON.parse(text) as Manifest }];
    }),
  );
  return found.flat().filter(({ manifest }) => manifest.private !== true);
}
