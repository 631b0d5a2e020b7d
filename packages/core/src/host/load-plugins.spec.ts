import { expect } from 'chai';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadPlugins } from './load-plugins.js';
import { PLUGIN_API_VERSION } from './plugin-api.js';

describe('loadPlugins', () => {
  let directory: string;
  const writeProjectFile = async (path: string, content: string | object) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const pluginSource = (id: string) => `{ id: '${id}', register() {} }`;
  const manifestFor = (id: string) => ({ id, api: '^0.1.0' });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign plugins '));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('should load installed packages, directories and files, by default or named export', async () => {
    await writeProjectFile('node_modules/@example/one/package.json', {
      type: 'module',
      exports: { '.': { types: './x.d.ts', import: './lib/one.js' } },
      countersign: manifestFor('one'),
    });
    await writeProjectFile('node_modules/@example/one/lib/one.js', `export default ${pluginSource('one')};`);
    await writeProjectFile('here/two/package.json', {
      type: 'module',
      main: 'two.js',
      countersign: manifestFor('two'),
    });
    await writeProjectFile('here/two/two.js', `export const plugin = ${pluginSource('two')};`);
    await writeProjectFile('here/three/package.json', { type: 'module', countersign: manifestFor('three') });
    await writeProjectFile('here/three/src/three.js', `export const threePlugin = ${pluginSource('three')};`);

    const { plugins, problems } = await loadPlugins(
      ['@example/one', './two', './three/src/three.js'],
      join(directory, 'here'),
    );

    expect(problems).to.deep.equal([]);
    expect(plugins.map(({ plugin, manifest, origin }) => [plugin.id, manifest.api, origin])).to.deep.equal([
      ['one', '^0.1.0', '@example/one'],
      ['two', '^0.1.0', './two'],
      ['three', '^0.1.0', './three/src/three.js'],
    ]);
  });

  it('should report why a plugin cannot be loaded, and load the others', async () => {
    await writeProjectFile('good/package.json', { type: 'module', countersign: manifestFor('good') });
    await writeProjectFile('good/index.js', `export default ${pluginSource('good')};`);
    await writeProjectFile('bare/package.json', { type: 'module' });
    await writeProjectFile('empty/package.json', { type: 'module', countersign: manifestFor('empty') });
    await writeProjectFile('empty/index.js', 'export default 5;');
    await writeProjectFile('throws/package.json', { type: 'module', countersign: manifestFor('throws') });
    await writeProjectFile('throws/index.js', 'throw new Error("initialisation failed");');

    const { plugins, problems } = await loadPlugins(
      ['@example/missing', './nowhere', './bare', './empty', './throws', 'C:/x', './good'],
      directory,
    );

    expect(plugins.map(({ plugin }) => plugin.id)).to.deep.equal(['good']);
    expect(
      problems.map(({ code, plugins: [name] = [], message }) => [
        code,
        name,
        message.slice(message.indexOf('cannot be loaded: ') + 18).replaceAll(directory, '…'),
      ]),
    ).to.deep.equal([
      ['plugin_not_loaded', '@example/missing', 'the package is not installed in … or a parent directory.'],
      ['plugin_not_loaded', './nowhere', '…/nowhere does not exist.'],
      [
        'plugin_not_loaded',
        './bare',
        `its package.json has no manifest. Add "countersign": { "id": "…", "api": "^${PLUGIN_API_VERSION}" }.`,
      ],
      ['plugin_not_loaded', './empty', '…/empty/index.js exports no plugin. Export the result of definePlugin.'],
      ['plugin_not_loaded', './throws', 'initialisation failed'],
      ['plugin_not_loaded', 'C:/x', 'it is neither a package name nor a path (a path starts with ./ or /).'],
    ]);
  });
});
