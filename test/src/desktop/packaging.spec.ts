import { waitUntil } from '@countersign/testing';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { expect } from 'chai';
import { hasElectron, Screen } from './desktop.spec.support.js';
import { packageApp, startPackaged } from './packaged.spec.support.js';

const MEBIBYTE = 1024 * 1024;
/** Byte of a fuse in the binary. */
const FUSE_OFF = '0'.charCodeAt(0);
const FUSE_ON = '1'.charCodeAt(0);
/** Expression that resolves to the text of the first heading as soon as there is one. */
const HEADING_EXPRESSION = `new Promise((resolve) => { const look = () => (document.querySelector('h1') === null ? requestAnimationFrame(look) : resolve(document.querySelector('h1').textContent)); look(); })`;

(hasElectron() && process.platform === 'linux' ? describe : describe.skip)(
  'desktop: packaged application',
  function () {
    this.timeout(300_000);
    let out: string;
    let screen: Screen;
    let unpacked: string;

    before(async () => {
      [out, screen] = await Promise.all([packageApp(['dir', 'deb', 'AppImage']), Screen.start()]);
      unpacked = join(out, 'linux-unpacked');
    });

    after(async () => {
      await screen?.stop();
      if (out !== undefined) rmSync(out, { recursive: true, force: true });
    });

    const asarPath = (): string => join(unpacked, 'resources/app.asar');

    it('should have the security fuses of Electron set', async () => {
      const fuses = await getCurrentFuseWire(join(unpacked, 'countersign'));
      expect(fuses.version).to.equal(FuseVersion.V1);
      const enabledFuses = [
        FuseV1Options.EnableCookieEncryption,
        FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
        FuseV1Options.OnlyLoadAppFromAsar,
      ];
      const disabledFuses = [
        FuseV1Options.RunAsNode,
        FuseV1Options.EnableNodeOptionsEnvironmentVariable,
        FuseV1Options.EnableNodeCliInspectArguments,
        FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
      ];
      for (const fuse of enabledFuses) expect(fuses[fuse], FuseV1Options[fuse]).to.equal(FUSE_ON);
      for (const fuse of disabledFuses) expect(fuses[fuse], FuseV1Options[fuse]).to.equal(FUSE_OFF);
    });

    it('should contain only bundles, icons and notices, without source maps and secrets', () => {
      const files = listPackage(asarPath(), { isPack: false }).filter((path) => /\.\w+$/.test(path));
      expect(
        files.filter(
          (path) =>
            !/^\/(?:package\.json|app\/(?:main|preload)\/[\w-]+\.cjs|app\/icons\/\w[\w-]*(?:@[\d.]+x)?\.png|app\/renderer\/(?:index\.html|third-party-notices\.txt|assets\/[\w-]+\.(?:js|css|svg|woff2?|ttf)))$/.test(
              path,
            ),
        ),
      ).to.deep.equal([]);
      expect(files).to.include.members([
        '/app/main/main.cjs',
        '/app/renderer/third-party-notices.txt',
        '/app/icons/tray-on-dark.png',
      ]);
      for (const path of files) {
        const text = extractFile(asarPath(), path.slice(1)).toString('latin1');
        expect(
          /sourceMappingURL=(?!data:)|-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{20,}\.eyJ/.exec(text)?.[0],
          path,
        ).to.equal(undefined);
      }
      expect(existsSync(join(unpacked, 'resources/app'))).to.equal(false);
      expect(statSync(asarPath()).size).to.be.below(8 * MEBIBYTE);
    });

    it('should start without development mode, and ignore --eval, --inspect and Node options', async () => {
      const client = await startPackaged(join(unpacked, 'countersign'), screen, {
        args: ['--inspect=0', '--eval=process.stdout.write("as Node")'],
        env: {
          ELECTRON_RUN_AS_NODE: '1',
          NODE_OPTIONS: '--require=/nothing/there.cjs',
          COUNTERSIGN_DESKTOP_DEVELOPMENT: 'true',
        },
      });
      try {
        expect(await client.evaluate(HEADING_EXPRESSION)).to.equal('Welcome to Countersign');
        expect(await client.evaluate('window.countersign.getState()')).to.include({ development: false });
        expect(await client.evaluate('typeof require + typeof process')).to.equal('undefinedundefined');
        expect(client.output()).not.to.match(/as Node|Debugger listening|nothing\/there\.cjs/);
      } finally {
        await client.close();
      }
    });

    it('should check for a new version at the packaged update URL', async () => {
      // given
      const requestedPaths: string[] = [];
      const server = createServer((request, response) => {
        requestedPaths.push(request.url?.replace(/\?.*/, '') ?? '');
        response.end(
          'version: 99.0.0\nfiles:\n  - url: countersign.AppImage\n    sha512: AAAA\n    size: 1\npath: countersign.AppImage\nsha512: AAAA\nreleaseDate: 2026-11-22T00:00:00.000Z\n',
        );
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const settings = join(unpacked, 'resources/app-update.yml');
      writeFileSync(
        settings,
        `provider: generic\nurl: http://127.0.0.1:${(server.address() as AddressInfo).port}/updates\nupdaterCacheDirName: countersign-updater\n`,
      );
      // when
      const client = await startPackaged(join(unpacked, 'countersign'), screen, {
        env: { APPIMAGE: '/nothing/countersign.AppImage' },
      });
      try {
        // then
        const findUpdateLogEntry = (): string | undefined =>
          client
            .log()
            .split('\n')
            .find((line) => line.includes('"event":"update.checked"'));
        const line = await waitUntil('the application has checked for an update', findUpdateLogEntry, 120);
        expect(JSON.parse(line)).to.include({ newer: true, version: '99.0.0' });
        expect(new Set(requestedPaths)).to.deep.equal(new Set(['/updates/latest-linux.yml']));
      } finally {
        await client.close();
        rmSync(settings);
        server.close();
      }
    });

    it('should accept only an https URL for updates and have no update URL by default', async () => {
      const { configuration } = (await import(
        new URL('../../../packages/desktop/electron-builder.config.mjs', import.meta.url).href
      )) as { configuration(options: object): Record<string, unknown> };
      const configurationFor = (env: object): Record<string, unknown> =>
        configuration({ env, icons: 'icons', output: 'out', electronVersion: '45.0.0' });
      expect(configurationFor({})).to.include({ publish: null, forceCodeSigning: false });
      expect(
        configurationFor({
          COUNTERSIGN_UPDATES_URL: 'https://updates.example.com/',
          COUNTERSIGN_UPDATES_CHANNEL: 'beta',
        })['publish'],
      ).to.deep.equal([{ provider: 'generic', url: 'https://updates.example.com/', channel: 'beta' }]);
      expect(() => configurationFor({ COUNTERSIGN_UPDATES_URL: 'http://updates.example.com/' })).to.throw('https://');
      expect(configurationFor({ COUNTERSIGN_WINDOWS_PUBLISHER: 'Example Ltd' })['win']).to.deep.include({
        verifyUpdateCodeSignature: true,
        signtoolOptions: { publisherName: ['Example Ltd'] },
      });
      expect(configurationFor({})['mac']).to.include({ hardenedRuntime: true, notarize: false });
      expect(configurationFor({})['electronFuses']).to.include({
        runAsNode: false,
        grantFileProtocolExtraPrivileges: false,
      });
    });

    it('should include a .deb that registers the link scheme and starts', async () => {
      // given
      const file = join(out, readdirSync(out).find((name) => name.endsWith('.deb')) ?? '');
      const root = mkdtempSync(join(tmpdir(), 'countersign-deb-root-'));
      try {
        const field = (name: string): string =>
          execFileSync('dpkg-deb', ['--field', file, name], { encoding: 'utf8' }).trim();
        expect({ name: field('Package'), architecture: field('Architecture') }).to.deep.equal({
          name: 'countersign',
          architecture: 'amd64',
        });
        expect(field('Depends')).to.contain('libsecret-1-0');
        // when
        execFileSync('dpkg-deb', ['--raw-extract', file, root]);
        // then
        const entry = readFileSync(join(root, 'usr/share/applications/countersign.desktop'), 'utf8');
        expect(entry)
          .to.match(/^MimeType=x-scheme-handler\/countersign;$/m)
          .and.match(/^Exec=\/opt\/Countersign\/countersign %U$/m);
        expect(readFileSync(join(root, 'DEBIAN/postinst'), 'utf8')).to.contain('chrome-sandbox');
        expect(readdirSync(join(root, 'usr/share/icons/hicolor'))).to.include.members(['16x16', '256x256', '512x512']);
        const client = await startPackaged(join(root, 'opt/Countersign/countersign'), screen);
        try {
          expect(await client.evaluate(HEADING_EXPRESSION)).to.equal('Welcome to Countersign');
        } finally {
          await client.close();
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    });

    it('should include an AppImage that starts with the sandbox enabled', async () => {
      const image = join(out, readdirSync(out).find((name) => name.endsWith('.AppImage')) ?? '');
      const root = mkdtempSync(join(tmpdir(), 'countersign-appimage-'));
      try {
        chmodSync(image, 0o755);
        execFileSync(image, ['--appimage-extract'], { cwd: root, stdio: 'ignore' });
        const start = join(root, 'squashfs-root/AppRun');
        expect(readFileSync(join(root, 'squashfs-root/countersign.desktop'), 'utf8')).to.match(/^Exec=AppRun %U$/m);
        const client = await startPackaged(start, screen);
        try {
          expect(await client.evaluate(HEADING_EXPRESSION)).to.equal('Welcome to Countersign');
        } finally {
          await client.close();
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    });
  },
);
