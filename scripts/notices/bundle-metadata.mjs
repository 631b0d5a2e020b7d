import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** Licences of the bundled packages, as Vite collects them. */
export const LICENSES_FILE = '.licenses.json';
/** All modules and files that went into the bundle. */
export const MODULES_FILE = '.modules.json';

/** Build options for Vite: collect the licences of the packages that are bundled. */
export const collectLicenses = { license: { fileName: LICENSES_FILE } };

/**
 * For Vite: lists what went into the bundle (modules, style sheets, fonts), by paths from the root of the repository. Modules
 * that the build tools added have names that begin with a NUL character.
 */
export function bundleMetadata() {
  let root = REPOSITORY;
  const named = (id) => {
    if (id.startsWith('\0')) return id;
    const path = id.replace(/[?#].*$/, '');
    return relative(REPOSITORY, isAbsolute(path) ? path : join(root, path))
      .split(sep)
      .join('/');
  };
  return {
    name: 'bundle-metadata',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
      );
      this.emitFile({
        type: 'asset',
        fileName: MODULES_FILE,
        source: JSON.stringify([...new Set(ids.map(named))].sort(), null, 1),
      });
    },
  };
}
