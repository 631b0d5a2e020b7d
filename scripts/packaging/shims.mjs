import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Adds shims (old-node.cjs) to a project that is packaged with an old Electron. Such a package is only for tests of the
 * packaging, and must not be distributed.
 *
 * @param {string} project directory of the packaged files
 * @returns {Promise<string>} main file, which loads the shims and then starts the application
 */
export async function addShims(project) {
  process.stderr.write('This Electron is out of date: use the package only for tests.\n');
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: join(project, 'app/main'),
      emptyOutDir: false,
      target: 'node16',
      minify: false,
      ssr: fileURLToPath(new URL('../electron-fall-back/old-node.cjs', import.meta.url)),
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'old-node.cjs' } },
    },
    ssr: { noExternal: true },
  });
  writeFileSync(join(project, 'app/main/start.cjs'), "require('./old-node.cjs');\nrequire('./main.cjs');\n");
  return 'app/main/start.cjs';
}
