import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPolicy } from './load-policy.js';
import { PolicyInvalidError } from './policy-issue.js';
import { findIssues, buildStepRequest } from './policies.spec.support.js';

const VALID_POLICY = '@id("ok") permit (principal, action, resource);';
const SCHEMA = new URL('../policies/countersign.cedarschema', import.meta.url);

describe('compilePolicies', () => {
  it('should report no errors for valid policies', async () => {
    expect(await findIssues(VALID_POLICY)).to.deep.equal([]);
  });

  it('should report all errors together, with files, lines and columns', async () => {
    const text = `// "a comment; with all that separates"
@id("ä;\\"") permit (principal, action, resource);
@id("b") permit (principal, action, resource) when { context.startedBi == "x" };
${VALID_POLICY}
@id("c") permit (principal, action, resource
) when { context. };
permit (principal, action, resource);
@id("d") permit (principal, action, resource)`;

    const issues = await findIssues(text, { 'b.cedar': VALID_POLICY });

    expect(issues).to.have.length(5);
    expect(issues[0]).to.match(/^test\.cedar:2:1: @id must be a short name/);
    expect(issues[1]).to.match(/^test\.cedar:4:1: a policy in b\.cedar already has the id "ok"/);
    expect(issues[2]).to.match(/^test\.cedar:6:19: unexpected token `}`/);
    expect(issues[3]).to.match(/^test\.cedar:7:1: @id is missing/);
    expect(issues[4]).to.match(/^test\.cedar:8:1: the policy that starts here does not end with ";"/);
  });

  it('should validate policies strictly against the schema', async () => {
    const issues = await findIssues(`${VALID_POLICY}
@id("b") permit (principal, action == Action::"call", resource)
  when { context.startedBi == "x" };
@id("c") permit (principal, action == Action::"call", resource) when { context.arguments.getTag("x").text == "y" };
@id("d") permit (principal, action == Action::"call", resource) when { context.startedBy == 5 };
@id("e") permit (principal, action == Action::"call", resource is Step);
@id("f") permit (principal, action == Action::"cal", resource);
@id("g") permit (principal, action == Action::"perform", resource) when { context.edited };`);

    expect(issues.map((issue) => /^test\.cedar:(\d+:\d+): /.exec(issue)?.[1])).to.deep.equal([
      '3:10',
      '4:72',
      '5:72',
      '6:1',
      '6:1',
      '7:39',
      '8:75',
    ]);
  });

  const invalidPolicies: readonly (readonly [string, string, string])[] = [
    [
      'a misspelt annotation',
      '@id("a") @qourum("2") permit (principal, action == Action::"call", resource);',
      '@qourum is unknown',
    ],
    [
      'a quorum of 0',
      '@id("a") @quorum("0") permit (principal, action == Action::"call", resource);',
      'a whole number from 1 to 100',
    ],
    [
      'a quorum on a policy that is not only for calls',
      '@id("a") @quorum("2") permit (principal, action, resource);',
      '@quorum are only valid for',
    ],
    [
      'approvers of a forbidden call',
      '@id("a") @approvers("x") forbid (principal, action == Action::"call", resource);',
      '@approvers',
    ],
    [
      'approvers without a name',
      '@id("a") @approvers("x,,y") permit (principal, action == Action::"call", resource);',
      'comma-separated names of 1 to 255 characters',
    ],
    [
      'approvers with a name that is too long for a key',
      `@id("a") @approvers("x,${'y'.repeat(256)}") permit (principal, action == Action::"call", resource);`,
      'comma-separated names of 1 to 255 characters',
    ],
    [
      'taint accepted for any tool',
      '@id("a") @acceptsTaint("true") permit (principal, action == Action::"callUnattended", resource);',
      'names its tool',
    ],
    [
      'taint accepted for a group',
      '@id("a") @acceptsTaint("true") permit (principal, action == Action::"callUnattended", resource in ToolGroup::"x");',
      'names its tool',
    ],
    [
      'taint accepted with a value other than "true"',
      '@id("a") @acceptsTaint("false") permit (principal, action == Action::"callUnattended", resource == Tool::"x");',
      'must be "true"',
    ],
    [
      'a policy for weighCall without a risk factor',
      '@id("a") permit (principal, action == Action::"weighCall", resource);',
      'needs @risk',
    ],
    [
      'a risk factor on a policy for calls',
      '@id("a") @risk("x") @weight("1") @description("X") permit (principal, action == Action::"call", resource);',
      '@risk is only valid for policies',
    ],
    [
      'a risk factor without a weight',
      '@id("a") @risk("x") @description("X") permit (principal, action == Action::"weighCall", resource);',
      '@weight is missing',
    ],
    [
      'a weight below 0',
      '@id("a") @risk("x") @weight("-1") @description("X") permit (principal, action == Action::"weighCall", resource);',
      'a number from 0 to 1000',
    ],
    [
      'a risk factor in a forbid policy',
      '@id("a") @risk("x") @weight("1") @description("X") forbid (principal, action == Action::"weighCall", resource);',
      'cannot be forbidden',
    ],
    ['a template', '@id("a") permit (principal == ?principal, action, resource);', 'template'],
    [
      'data referenced by name',
      '@id("a") forbid (principal, action, resource) when { Data::"arguments".hasTag("x") };',
      'not by a name',
    ],
    ['a policy that can never apply', '@id("a") forbid (principal, action, resource) when { false };', 'impossible'],
    [
      'a deeply nested condition',
      `@id("a") permit (principal, action, resource) when { ${'context.startedBy == "x" && '.repeat(90)}true };`,
      'levels deep',
    ],
    [
      'a condition that exhausts the stack',
      `@id("a") permit (principal, action, resource) when { ${'('.repeat(20_000)}true${')'.repeat(20_000)} };`,
      'nested too deeply',
    ],
    ['no policies', '// none', 'nothing would ever be permitted'],
  ];
  for (const [description, text, expectedMessage] of invalidPolicies) {
    it(`should refuse ${description}`, async () => {
      const issues = await findIssues(text);

      expect(issues.join('\n')).to.contain(expectedMessage);
    });
  }

  it('should accept the examples in the documentation', async () => {
    const page = await readFile(new URL('../../../../docs/policies.md', import.meta.url), 'utf8');
    const examples = [...page.matchAll(/```cedar\n(@id[^`]*)```/g)].map(([, example]) => example ?? '');

    expect(examples).to.have.length(5);
    expect(await findIssues(`${VALID_POLICY}\n${examples.join('\n')}`)).to.deep.equal([]);
  });

  it('should check the next policy after a policy that crashed its instance of Cedar', async () => {
    const issues =
      await findIssues(`@id("a") permit (principal, action, resource) when { ${'!('.repeat(20_000)}true${')'.repeat(20_000)} };
@id("b") permit (principal, action, resource) when { context. };`);

    expect(issues).to.have.length(2);
    expect(issues[1]).to.match(/^test\.cedar:2:/);
  });

  describe('custom schema', () => {
    let shippedSchema: string;
    before(async () => {
      shippedSchema = await readFile(SCHEMA, 'utf8');
    });

    it('should accept a schema with an additional entity', async () => {
      expect(await findIssues(VALID_POLICY, { 'own.cedarschema': `${shippedSchema}\nentity Unused;` })).to.deep.equal(
        [],
      );
    });

    for (const [description, change] of [
      ['lacks an attribute', (text: string) => text.replaceAll('startedBy: String,', '')],
      ['requires an optional attribute', (text: string) => text.replace('jobType?: String', 'jobType: String')],
      ['lacks an action', (text: string) => text.replace(/action "callUnattended".*/, '')],
      ['declares another type for an attribute', (text: string) => text.replaceAll('edited: Bool', 'edited: String')],
    ] as const) {
      it(`should refuse a schema that ${description}`, async () => {
        const issues = await findIssues(VALID_POLICY, { 'own.cedarschema': change(shippedSchema) });

        expect(issues.join('\n')).to.match(
          /^own\.cedarschema: the schema does not match the requests of the server for Action::"/m,
        );
      });
    }

    it('should report a schema that does not parse with its location, and refuse a second schema', async () => {
      const issues = await findIssues(VALID_POLICY, {
        'a.cedarschema': 'entity Agent;\nentity ;',
        'b.cedarschema': shippedSchema,
      });

      expect(issues[1]).to.match(/^b\.cedarschema: there is already a schema in a\.cedarschema/);
      expect(issues[0]).to.match(/^a\.cedarschema:2:8: /);
    });
  });

  describe('policy directory', () => {
    let directory: string;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'policies-'));
    });
    afterEach(async () => {
      await rm(directory, { recursive: true });
    });

    it('should use only the policies in the directory, and the name of the directory as the policy id', async () => {
      await writeFile(
        join(directory, 'a.cedar'),
        '@id("only") permit (principal, action == Action::"perform", resource) when { resource.stepType == "userTask" };',
      );
      await writeFile(join(directory, 'notes.md'), 'permit');

      const { policy, compiled } = await loadPolicy(directory);

      expect(compiled.id).to.match(/^policies-/);
      expect(Object.keys((compiled.content as { files: object }).files)).to.deep.equal([
        'a.cedar',
        'countersign.cedarschema',
      ]);
      expect([policy(buildStepRequest('userTask')).decision, policy(buildStepRequest('task')).decision]).to.deep.equal([
        'allow',
        'deny',
      ]);
    });

    it('should refuse a directory that does not exist or is too large', async () => {
      const captureMessage = async (path: string) =>
        loadPolicy(path).then(
          () => undefined,
          (error: unknown) => (error instanceof PolicyInvalidError ? error.message : undefined),
        );

      expect(await captureMessage(join(directory, 'none'))).to.contain('check Policies:Directory');
      await writeFile(join(directory, 'a.cedar'), `//${' '.repeat(2 * 1024 * 1024)}`);
      expect(await captureMessage(directory)).to.contain('larger than 2 MiB');
    });
  });
});
