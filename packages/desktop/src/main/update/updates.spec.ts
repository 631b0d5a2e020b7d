import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from '../app/log.js';
import { updateMode, type UpdateMode } from './update-settings.js';
import { Updates } from './updates.js';

describe('Updates', () => {
  let done: string[];
  let newest: () => Promise<string | undefined>;
  let restarts: boolean;
  const log: Log = {
    info: (event) => void done.push(event),
    warn: (event) => void done.push(event),
    failure: (event) => void done.push(event),
  };

  beforeEach(() => {
    done = [];
    newest = () => Promise.resolve('1.2.0');
    restarts = false;
  });

  const note = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what));
  const updates = (mode: Exclude<UpdateMode, 'off'>): Updates =>
    new Updates({
      mode,
      log,
      updater: { newest: () => newest(), load: note('loaded'), restart: () => void done.push('restarted') },
      dialogs: {
        askToRestart: (version) => note(`asked ${version}`)().then(() => restarts),
        tellOf: (version) => note(`told ${version}`)(),
        tellNone: note('told none'),
        tellFailed: note('told failed'),
      },
    });

  it('should load a new version and restart only when the person agrees', async () => {
    await updates('installs').look('by itself');
    expect(done).to.deep.equal(['update.looked', 'loaded', 'asked 1.2.0']);
    restarts = true;
    await updates('installs').look('by itself');
    expect(done.slice(3)).to.deep.equal(['update.looked', 'loaded', 'asked 1.2.0', 'restarted']);
  });

  it('should only report a version that cannot be verified, once or whenever the person asks', async () => {
    const telling = updates('tells');
    await telling.look('by itself');
    await telling.look('by itself');
    expect(done).to.deep.equal(['update.looked', 'told 1.2.0', 'update.looked']);
    await telling.look('asked');
    expect(done.slice(3)).to.deep.equal(['update.looked', 'told 1.2.0']);
  });

  it('should report a failure or the lack of an update only when the person asks', async () => {
    newest = () => Promise.resolve(undefined);
    await updates('installs').look('by itself');
    await updates('installs').look('asked');
    expect(done).to.deep.equal(['update.looked', 'update.looked', 'told none']);
    newest = () => Promise.reject(new Error('net::ERR_NAME_NOT_RESOLVED'));
    await updates('installs').look('by itself');
    await updates('installs').look('asked');
    expect(done.slice(3)).to.deep.equal(['update.failed', 'update.failed', 'told failed']);
  });

  it('should run only one check at a time', async () => {
    let answer: (version: undefined) => void = () => undefined;
    newest = () => new Promise((resolve) => (answer = resolve));
    const both = updates('tells');
    const first = both.look('by itself');
    await both.look('asked');
    answer(undefined);
    await first;
    expect(done).to.deep.equal(['update.looked']);
  });
});

describe('updateMode', () => {
  let resources: string;

  beforeEach(() => {
    resources = mkdtempSync(join(tmpdir(), 'countersign-updates-'));
  });
  afterEach(() => rmSync(resources, { recursive: true }));

  const GENERIC = 'provider: generic\nurl: https://updates.example.com\n';

  it('should be off if the package contains no update configuration', () => {
    expect(updateMode(resources, 'darwin')).to.equal('off');
  });

  it('should install on macOS and for a named publisher on Windows, and only report versions on Linux', () => {
    const mode = (file: string, platform: NodeJS.Platform): UpdateMode => {
      writeFileSync(join(resources, 'app-update.yml'), file);
      return updateMode(resources, platform);
    };
    expect(mode(GENERIC, 'darwin')).to.equal('installs');
    expect(mode(GENERIC, 'win32')).to.equal('tells');
    expect(mode(`${GENERIC}publisherName:\nupdaterCacheDirName: countersign\n`, 'win32')).to.equal('tells');
    expect(mode(`${GENERIC}publisherName:\n  - Example Ltd\n`, 'win32')).to.equal('installs');
    expect(mode(`${GENERIC}publisherName:\n  - Example Ltd\n`, 'linux')).to.equal('tells');
  });
});
