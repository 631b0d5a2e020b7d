import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestHost } from '@countersign/testing';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Prefixes of the names of modules that the build adds to a bundle. */
const BUILD_TOOLS = ['vite', 'rolldown'];
/** Our own modules. */
const OWN_MODULE = /^\0(?:no-validator|virtual:mantine-styles)|^packages\//;
/** Packages whose files our plugins turn into modules, by the prefix of the module name. */
const GENERATED_FROM: Readonly<Record<string, string>> = { '\0virtual:pdf-data': 'pdfjs-dist' };

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Start of the licence file of the package, without whitespace; `undefined` if there is no such file. */
  readonly text: string | undefined;
}

const BUNDLES = [
  {
    bundle: 'web UI',
    outputs: ['packages/web/bundle'],
    notices: 'packages/web/bundle/third-party-notices.txt',
    contains: ['react', 'bpmn-js', '@fontsource-variable/inter', '@mantine/core', 'pdfjs-dist'],
  },
  {
    bundle: 'desktop client',
    outputs: ['main', 'preload', 'renderer'].map((part) => `packages/desktop/app/${part}`),
    notices: 'packages/desktop/app/renderer/third-party-notices.txt',
    contains: ['react', 'openid-client', 'electron-updater', 'pdfjs-dist'],
  },
];

describe('third-party notices', () => {
  for (const { bundle, outputs, notices, contains } of BUNDLES) {
    it(`should list each package in the ${bundle} with version, licence and licence text`, () => {
      // given: the modules that the build reports as bundled
      const modules = outputs.flatMap(
        (output) => JSON.parse(readFileSync(join(ROOT, output, '.modules.json'), 'utf8')) as string[],
      );
      const bundled = listBundledPackages(modules);
      expect(bundled.map(({ name }) => name)).to.include.members(contains);
      // when
      const text = readFileSync(join(ROOT, notices), 'utf8');
      // then
      expect(findMissingNotices(text, bundled)).to.deep.equal([]);
    });

    it(`should fail the check when a package of the ${bundle} is missing`, () => {
      const text = readFileSync(join(ROOT, notices), 'utf8');
      const bundled = listBundledPackages(
        outputs.flatMap((output) => JSON.parse(readFileSync(join(ROOT, output, '.modules.json'), 'utf8')) as string[]),
      );
      const react = parseSections(text).get('react') ?? '';
      expect(react).to.contain('MIT');
      expect(findMissingNotices(text.replace(react, ''), bundled)).to.deep.equal(['react']);
    });
  }

  it('should be served with the web UI, with the licences of the API page next to that page', async () => {
    const countersign = await createTestHost();
    const responses = await Promise.all(
      [
        '/third-party-notices.txt',
        '/api/docs/LICENSE',
        '/api/docs/NOTICE',
        '/api/docs/swagger-ui-bundle.js.LICENSE.txt',
      ].map((path) => fetch(`${countersign.url}${path}`)),
    );
    const texts = await Promise.all(responses.map((response) => response.text()));
    await countersign.close();
    for (const response of responses)
      expect([response.status, response.headers.get('content-type')], response.url).to.deep.equal([
        200,
        'text/plain; charset=utf-8',
      ]);
    expect(texts[0]).to.equal(readFileSync(join(ROOT, 'packages/web/bundle/third-party-notices.txt'), 'utf8'));
    expect(texts[1]).to.contain('Apache License');
  });
});

/** Returns the packages with modules in a bundle, without our own. */
function listBundledPackages(modules: readonly string[]): BundledPackage[] {
  const directories = new Set<string>();
  for (const module of modules) {
    const directory = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
    const source =
      BUILD_TOOLS.find((name) => module.startsWith(`\0${name}/`)) ??
      Object.entries(GENERATED_FROM).find(([prefix]) => module.startsWith(prefix))?.[1];
    if (directory !== undefined) directories.add(directory);
    else if (source !== undefined) directories.add(`node_modules/${source}`);
    else if (!OWN_MODULE.test(module))
      throw new Error(`Cannot determine the package of the module ${JSON.stringify(module)}.`);
  }
  return [...directories].map((directory) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, directory, 'package.json'), 'utf8'),
    ) as BundledPackage;
    const file = readdirSync(join(ROOT, directory)).find(
      (each) => /^licen[cs]e/i.test(each) && existsSync(join(ROOT, directory, each)),
    );
    return {
      name,
      version,
      license,
      text:
        file === undefined
          ? undefined
          : removeWhitespace(readFileSync(join(ROOT, directory, file), 'utf8').slice(0, 600)),
    };
  });
}

/** Returns the names of packages whose notice is missing or incomplete. */
function findMissingNotices(notices: string, bundled: readonly BundledPackage[]): string[] {
  const sections = parseSections(notices);
  const isComplete = ({ name, version, license, text }: BundledPackage): boolean => {
    const section = sections.get(name) ?? '';
    const hasLicenceTerms = /permi(?:ssion|tted)|Apache License|SIL OPEN FONT LICENSE|Blue Oak/i.test(section);
    return (
      section.includes(`\n${name} ${version} (${license})\n`) &&
      hasLicenceTerms &&
      (text === undefined || removeWhitespace(section).includes(text))
    );
  };
  return bundled.filter((each) => !isComplete(each)).map(({ name }) => name);
}

/** Returns the notices by package name; several versions of a package share an entry. */
function parseSections(notices: string): Map<string, string> {
  const sections = new Map<string, string>();
  const rule = '='.repeat(80);
  const parts = notices.split(`${rule}\n`);
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const title = parts[index] ?? '';
    const name = title.slice(0, title.indexOf(' '));
    sections.set(name, `${sections.get(name) ?? ''}${rule}\n${title}${rule}\n${parts[index + 1] ?? ''}`);
  }
  return sections;
}

function removeWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}
