import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AppFiles } from './app-files.js';

describe('AppFiles', () => {
  let directory: string;
  let files: AppFiles;

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-app-files-'));
    const packagedDirectory = join(directory, 'packed');
    mkdirSync(join(packagedDirectory, 'assets'), { recursive: true });
    writeFileSync(join(directory, 'secret.html'), 'secret');
    writeFileSync(join(packagedDirectory, 'index.html'), 'page');
    writeFileSync(join(packagedDirectory, 'notes.md'), 'a file of a type that is not served');
    writeFileSync(join(packagedDirectory, 'assets', 'main.js'), 'script');
    symlinkSync(join(directory, 'secret.html'), join(packagedDirectory, 'link.html'));
    files = new AppFiles(packagedDirectory);
  });

  after(() => rmSync(directory, { recursive: true, force: true }));

  it('should return a packaged file with its content type', () => {
    expect(files.find('countersign-app://inbox/index.html')?.content.toString()).to.equal('page');
    expect(files.find('countersign-app://inbox/assets/main.js?x#y')?.contentType).to.equal(
      'text/javascript; charset=utf-8',
    );
  });

  it('should return nothing for any other path, host or scheme', () => {
    const otherPaths = [
      '/../secret.html',
      '/..%2fsecret.html',
      '/%2e%2e/secret.html',
      '/assets/../index.html',
      '//index.html',
      '/link.html',
      '/notes.md',
      '/',
      '',
      '/assets',
      '/index.html%00',
      '/__proto__',
    ];
    for (const path of otherPaths) expect(files.find(`countersign-app://inbox${path}`), path).to.equal(undefined);
    for (const url of [
      'countersign-app://other/index.html',
      'countersign-app://inbox.example/index.html',
      'file:///index.html',
    ])
      expect(files.find(url), url).to.equal(undefined);
  });
});
