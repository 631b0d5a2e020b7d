import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface SuitesModule {
  readonly SUITES: readonly { readonly name: string; readonly runsOnEachChange?: boolean }[];
  getSuite(spec: string): { readonly name: string };
  findSpecFiles(): string[];
  getBuiltFile(spec: string): string;
}

const root = new URL('../../../', import.meta.url);

describe('test suites', () => {
  let suites: SuitesModule;

  before(async () => {
    suites = (await import(new URL('scripts/mocha/suites.mjs', root).href)) as SuitesModule;
  });

  const suiteName = (spec: string): string => suites.getSuite(spec).name;

  it('should assign a spec to the suite of its folder', () => {
    expect(suiteName('test/src/web/runs.spec.ts')).to.equal('web');
    expect(suiteName('test/src/web/sweeps/roles.spec.ts')).to.equal('sweeps');
    expect(suiteName('test/src/mcp/http-servers.spec.ts')).to.equal('agents');
    expect(suiteName('packages/inbox-ui/src/inbox/vote-permissions.spec.ts')).to.equal('unit');
  });

  it('should each have an npm script, and run with "npm test" if they run on each change', () => {
    // given
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };

    // then
    for (const { name } of suites.SUITES) expect(scripts[`test:${name}`], name).to.match(new RegExp(` ${name}$`));
    const onEachChange = suites.SUITES.filter(({ runsOnEachChange }) => runsOnEachChange).map(({ name }) => name);
    expect(scripts['test']).to.match(new RegExp(` ${onEachChange.join(' ')}$`));
  });

  it('should each contain at least one spec', () => {
    const assignedSuites = new Set(suites.findSpecFiles().map(suiteName));
    expect(suites.SUITES.map(({ name }) => name).filter((name) => !assignedSuites.has(name))).to.deep.equal([]);
  });

  it('should find this spec and its built file', () => {
    expect(suites.findSpecFiles()).to.include('test/src/ci/suites.spec.ts');
    expect(new URL(suites.getBuiltFile('test/src/ci/suites.spec.ts'), root).href).to.equal(import.meta.url);
  });
});
