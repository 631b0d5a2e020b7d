import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rename } from 'node:fs/promises';
import { rolldown, type Plugin } from 'rolldown';
import { SERVER_PROCESS } from './server-child.spec.support.js';

/**
 * Plugin that keeps the original location of each module, so that it finds the files next to it (workers, policies,
 * package.json).
 */
const KEEP_FILE_LOCATIONS: Plugin = {
  name: 'keep-file-locations',
  transform(code, id) {
    if (!/\bimport\.meta\.url\b|\b__dirname\b/.test(code)) return null;
    const path = JSON.stringify(dirname(id));
    return code
      .replaceAll(/\bimport\.meta\.url\b/g, () => JSON.stringify(pathToFileURL(id).href))
      .replaceAll(/\b__dirname\b/g, () => path);
  },
};

let bundlePath: Promise<string> | undefined;

/**
 * Bundles the server process of the recovery specs with all its modules into one file, once per process that runs
 * specs. Most of the start time is spent on loading some 2,000 modules, and these specs restart a server after every
 * kill. Other specs start the modules directly.
 *
 * @returns the file to start instead of {@link SERVER_PROCESS}
 */
export function getBundledServer(): Promise<string> {
  return (bundlePath ??= bundleServer());
}

async function bundleServer(): Promise<string> {
  const name = fileURLToPath(new URL('./server-process.packed', import.meta.url));
  const outputFile = `${name}.${process.pid}.mjs`;
  // Silent, because optional database drivers that are not installed are reported as missing, although they are not
  // needed.
  const bundle = await rolldown({
    input: SERVER_PROCESS,
    platform: 'node',
    logLevel: 'silent',
    plugins: [KEEP_FILE_LOCATIONS],
  });
  try {
    // Comments would be parsed at every start. Without minification, stack traces still show where an error occurred.
    await bundle.write({ file: outputFile, format: 'esm', codeSplitting: false, comments: false });
  } finally {
    await bundle.close();
  }
  await rename(outputFile, `${name}.mjs`); // atomically, because another process may be starting it
  return `${name}.mjs`;
}
