import { fileURLToPath } from 'node:url';

const inBuild = (name) => fileURLToPath(new URL(`build/${name}`, import.meta.url));

/**
 * What nothing of an application needs that people install. electron-builder sets them in the binary, by
 * `@electron/fuses`.
 */
const FUSES = Object.freeze({
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
});

/** Which Electron was the first to have a fuse that the oldest one here has not. */
const SINCE = Object.freeze({ grantFileProtocolExtraPrivileges: 29 });

/**
 * How the desktop client is packed. Who signs, and where updates come from, is for whoever packs it: by the environment
 * (docs/desktop.md, "Packaging"), and nothing of it stands in the repository.
 *
 * @param {object} options
 * @param {Readonly<Record<string, string | undefined>>} options.env
 * @param {string} options.icons directory of the generated icons
 * @param {string} options.output directory of what is built
 * @param {string} options.electronVersion
 * @returns {import('electron-builder').Configuration}
 * @throws {TypeError} for settings that are not to be used
 */
export function configuration({ env, icons, output, electronVersion }) {
  const updates = getUpdateSource(env);
  return {
    appId: 'app.countersign.desktop',
    productName: 'Countersign',
    executableName: 'countersign',
    copyright: 'Licensed under Apache-2.0',
    directories: { output, buildResources: icons },
    // The bundles have all that they need in them, and no source map. No Chromium reads an .eot.
    files: ['app/**', 'package.json', '!**/*.map', '!**/*.eot', '!**/.*'],
    asar: true,
    electronVersion,
    electronFuses: Object.fromEntries(
      Object.entries(FUSES).filter(([name]) => Number.parseInt(electronVersion, 10) >= (SINCE[name] ?? 0)),
    ),
    electronLanguages: ['en-GB', 'en-US'],
    npmRebuild: false,
    protocols: [{ name: 'Approvals of Countersign', schemes: ['countersign'] }],
    // A release that was to be signed is not made unsigned.
    forceCodeSigning: env['COUNTERSIGN_SIGNING'] === 'required',
    publish: updates === undefined ? null : [updates],
    linux: {
      target: ['AppImage', 'deb', 'tar.gz'],
      icon: `${icons}/png`,
      syncDesktopName: true,
      category: 'Office',
      synopsis: 'Decide on what agents want to do',
      description: 'The approver\u2019s desktop inbox of Countersign.',
      maintainer: env['COUNTERSIGN_MAINTAINER'] ?? 'Countersign <nobody@countersign.invalid>',
    },
    // Without this, the older tools of AppImages turn Chromium's sandbox off.
    appImage: { executableArgs: [], ...(env['APPIMAGE_TOOLS_PATH'] === undefined ? {} : { compression: 'gzip' }) },
    toolsets: { appimage: '1.0.3' },
    win: {
      target: ['nsis'],
      icon: `${icons}/icon.ico`,
      verifyUpdateCodeSignature: true,
      ...(env['COUNTERSIGN_WINDOWS_PUBLISHER'] === undefined
        ? {}
        : { signtoolOptions: { publisherName: [env['COUNTERSIGN_WINDOWS_PUBLISHER']] } }),
    },
    nsis: { oneClick: false, perMachine: false, deleteAppDataOnUninstall: false },
    mac: {
      // The updater takes the zip.
      target: ['dmg', 'zip'],
      icon: `${icons}/icon.icns`,
      category: 'public.app-category.business',
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: inBuild('entitlements.mac.plist'),
      entitlementsInherit: inBuild('entitlements.mac.plist'),
      notarize: env['APPLE_API_KEY'] !== undefined || env['APPLE_ID'] !== undefined,
    },
  };
}

/** Returns the source of updates, from `COUNTERSIGN_UPDATES_URL`, or `undefined` if the app is not updated. */
function getUpdateSource(env) {
  const url = env['COUNTERSIGN_UPDATES_URL'];
  if (url === undefined || url === '') return undefined;
  if (!URL.canParse(url) || !(url.startsWith('https://') || /^http:\/\/127\.0\.0\.1:\d+\//.test(url)))
    throw new TypeError('COUNTERSIGN_UPDATES_URL must start with https://.');
  return { provider: 'generic', url, channel: env['COUNTERSIGN_UPDATES_CHANNEL'] ?? 'latest' };
}
