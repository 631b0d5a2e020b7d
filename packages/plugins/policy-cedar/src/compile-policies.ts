import { createHash } from 'node:crypto';
import type { JsonObject } from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';
import type { DetailedError, Policy, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { AnnotationError, findSingleAction, readAnnotations, type PolicyAnnotations } from './annotations.js';
import { CedarError, type Cedar } from './cedar.js';
import { checkSchema } from './check-schema.js';
import { HostLiteralError, normalizeHosts } from './normalize-hosts.js';
import { PolicyInvalidError, type PolicyIssue } from './policy-issue.js';
import { isPolicyFile, isSchemaFile, type PolicyFiles } from './policy-files.js';
import { PolicyReadError, collectReads, type ReadsByKind } from './reads.js';
import { matchesAction } from './scope.js';
import { toLineAndColumn, splitPolicies, type PolicyText } from './split-policies.js';

export interface CompiledPolicy extends PolicyAnnotations {
  readonly text: string;
  /** JSON form, with normalised host names. */
  readonly json: PolicyJson;
  /** Whether `json` is equivalent to `text`; false if host names were normalised. */
  readonly isUnchanged: boolean;
  readonly addsRisk: boolean;
}

/** Valid policies with their digest. */
export interface CompiledPolicies {
  readonly id: string;
  /** `sha256:<hex>` over the RFC 8785 form of {@link content}. */
  readonly digest: string;
  readonly content: JsonObject;
  /** Ordered by file name, and within a file by position. */
  readonly policies: readonly CompiledPolicy[];
  readonly reads: ReadsByKind;
}

/** Maximum number of policies that people can reasonably review. */
const MAX_POLICIES = 5_000;

/**
 * Parses policies and checks them strictly against their schema.
 *
 * @param serverSchema schema of the server, known to be valid
 * @throws {PolicyInvalidError} with all issues
 */
export function compilePolicies(cedar: Cedar, id: string, files: PolicyFiles, serverSchema?: string): CompiledPolicies {
  const issues: PolicyIssue[] = [];
  const compiledPolicies: (CompiledPolicy & { readonly source: PolicyText })[] = [];
  const names = Object.keys(files).sort();
  const [schemaFile, ...additionalSchemaFiles] = names.filter(isSchemaFile);
  const addIssue = (file: string, byteOffset: number | null, message: string): void => {
    issues.push({
      file,
      message,
      ...(byteOffset === null ? { line: null, column: null } : toLineAndColumn(files[file] ?? '', byteOffset)),
    });
  };
  for (const file of additionalSchemaFiles)
    addIssue(file, null, `there is already a schema in ${schemaFile ?? ''}; put the whole schema in one file`);
  let count = 0;
  for (const file of names.filter(isPolicyFile)) {
    const { policies, rest } = splitPolicies(file, files[file] ?? '');
    count += policies.length;
    if (count > MAX_POLICIES)
      throw new PolicyInvalidError([
        { file, line: null, column: null, message: `there are more than ${MAX_POLICIES} policies` },
      ]);
    for (const source of policies) {
      const parsed = readPolicy(cedar, source, addIssue);
      if (parsed !== undefined) compiledPolicies.push({ ...parsed, source });
    }
    if (rest !== null) addIssue(file, rest.start, 'the policy that starts here does not end with ";"');
  }
  const schema = files[schemaFile ?? ''];
  if (schemaFile === undefined || schema === undefined)
    throw new PolicyInvalidError([
      ...issues,
      { file: id, line: null, column: null, message: 'there is no schema (a *.cedarschema file)' },
    ]);
  const byId = new Map<string, (typeof compiledPolicies)[number]>();
  for (const policy of compiledPolicies) {
    const other = byId.get(policy.id);
    if (other === undefined) byId.set(policy.id, policy);
    else
      addIssue(
        policy.source.file,
        policy.source.start,
        `a policy in ${other.source.file} already has the id "${policy.id}"`,
      );
  }
  if (count === 0)
    issues.push({
      file: id,
      line: null,
      column: null,
      message: 'there are no policies, so nothing would ever be permitted',
    });
  if (schema !== serverSchema)
    for (const problem of checkSchema(cedar, schema)) addIssue(schemaFile, problem.byteOffset, problem.message);
  if (issues.length === 0) validate(cedar, schema, byId, addIssue);
  if (issues.length > 0) throw new PolicyInvalidError(sortIssues(issues));
  const policiesForActions = (actions: readonly string[]): PolicyJson[] =>
    compiledPolicies
      .map(({ json }) => json)
      .filter((json) => actions.some((action) => matchesAction(json.action, action)));
  const content: JsonObject = { files: Object.fromEntries(names.map((name) => [name, files[name] ?? ''])) };
  return {
    id,
    digest: `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`,
    content,
    policies: compiledPolicies.map(({ source: _from, ...policy }) => policy),
    reads: {
      step: collectReads(policiesForActions(['perform', 'weighStep'])),
      call: collectReads(policiesForActions(['call', 'callUnattended', 'weighCall'])),
    },
  };
}

/**
 * Returns a policy in the form that is passed to Cedar: the text, so that messages refer to its locations, or the JSON
 * form if host names were normalised.
 */
export function toCedarPolicy({
  isUnchanged,
  text,
  json,
}: Pick<CompiledPolicy, 'isUnchanged' | 'text' | 'json'>): Policy {
  return isUnchanged ? text : json;
}

/** Sorts issues by file and position. */
function sortIssues(issues: readonly PolicyIssue[]): readonly PolicyIssue[] {
  const position = ({ line, column }: PolicyIssue): number => (line ?? 0) * 10_000 + (column ?? 0);
  return issues.toSorted((a, b) => (a.file === b.file ? position(a) - position(b) : a.file < b.file ? -1 : 1));
}

type AddIssue = (file: string, byteOffset: number | null, message: string) => void;

function readPolicy(cedar: Cedar, source: PolicyText, addIssue: AddIssue): CompiledPolicy | undefined {
  try {
    const result = cedar.use((module) => module.policyToJson(source.text));
    if (result.type === 'failure') {
      for (const error of result.errors) addCedarIssue(error, source, addIssue);
      return undefined;
    }
    collectReads([result.json]);
    const json = normalizeHosts(result.json);
    const addsRisk = ['weighStep', 'weighCall'].includes(findSingleAction(result.json) ?? '');
    return { ...readAnnotations(result.json), text: source.text, json, isUnchanged: json === result.json, addsRisk };
  } catch (error) {
    if (error instanceof CedarError) addIssue(source.file, source.start, 'this policy is nested too deeply to be read');
    else if (error instanceof AnnotationError || error instanceof PolicyReadError || error instanceof HostLiteralError)
      addIssue(source.file, source.start, error.message);
    else throw error;
    return undefined;
  }
}

function validate(
  cedar: Cedar,
  schema: string,
  byId: ReadonlyMap<string, CompiledPolicy & { readonly source: PolicyText }>,
  addIssue: AddIssue,
): void {
  const staticPolicies = Object.fromEntries([...byId].map(([id, policy]) => [id, toCedarPolicy(policy)]));
  const result = cedar.use((module) =>
    module.validate({ validationSettings: { mode: 'strict' }, schema, policies: { staticPolicies } }),
  );
  if (result.type === 'failure') {
    for (const error of result.errors) addIssue([...byId.values()][0]?.source.file ?? '', null, error.message);
    return;
  }
  // A warning reports a policy that can never apply, or look-alike characters: the policy does not protect what it
  // should.
  const invalidPolicyIds = new Set(result.validationErrors.map(({ policyId }) => policyId));
  const warnings = result.validationWarnings.filter(({ policyId }) => !invalidPolicyIds.has(policyId));
  for (const { policyId, error } of [...result.validationErrors, ...warnings]) {
    const policy = byId.get(policyId);
    if (policy !== undefined)
      addCedarIssue(
        { ...error, message: error.message.replace(`for policy \`${policyId}\`, `, '') },
        policy.source,
        addIssue,
      );
  }
}

/** Reports an error at its first location, and each related error likewise. */
function addCedarIssue(error: DetailedError, source: PolicyText, addIssue: AddIssue): void {
  const [location] = error.sourceLocations ?? [];
  const message = error.message.replace(/^failed to parse policy from string: /, '');
  const labelSuffix = location?.label === undefined || location.label === null ? '' : ` (${location.label})`;
  addIssue(
    source.file,
    source.start + (location?.start ?? 0),
    `${message}${labelSuffix}${error.help === null ? '' : `; ${error.help}`}`,
  );
  for (const related of error.related ?? []) addCedarIssue(related, source, addIssue);
}
