import { createHash } from 'node:crypto';
import type { JsonObject } from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';
import type { DetailedError, Policy, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';
import { AnnotationError, onlyAction, readAnnotations, type PolicyNotes } from './annotations.js';
import { CedarError, type Cedar } from './cedar.js';
import { checkSchema } from './check-schema.js';
import { HostLiteralFault, withHostNames } from './host-literals.js';
import { PolicyInvalidError, type PolicyIssue } from './policy-issue.js';
import { isPolicyFile, isSchemaFile, type PolicyFiles } from './policy-files.js';
import { PolicyReadError, readsOf, type ReadsByKind } from './reads.js';
import { actionFits } from './scope.js';
import { placeOf, splitPolicies, type PolicyText } from './split-policies.js';

export interface CompiledPolicy extends PolicyNotes {
  readonly text: string;
  /** Evaluated form. */
  readonly json: PolicyJson;
  /** Whether the text means the same; otherwise the text writes a host name differently. */
  readonly isAsWritten: boolean;
  readonly weighs: boolean;
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

/** Nobody reviews more. */
const MAX_POLICIES = 5_000;

/**
 * Parses policies and checks them strictly against their schema.
 *
 * @param serverSchema schema of the server, known to be valid
 * @throws {PolicyInvalidError} with all issues
 */
export function compilePolicies(cedar: Cedar, id: string, files: PolicyFiles, serverSchema?: string): CompiledPolicies {
  const faults: PolicyIssue[] = [];
  const found: (CompiledPolicy & { readonly from: PolicyText })[] = [];
  const names = Object.keys(files).sort();
  const [schemaFile, ...moreSchemas] = names.filter(isSchemaFile);
  const fault = (file: string, bytes: number | null, message: string): void => {
    faults.push({
      file,
      message,
      ...(bytes === null ? { line: null, column: null } : placeOf(files[file] ?? '', bytes)),
    });
  };
  for (const file of moreSchemas)
    fault(file, null, `there is already a schema in ${schemaFile ?? ''}; put the whole schema in one file`);
  let count = 0;
  for (const file of names.filter(isPolicyFile)) {
    const { policies, rest } = splitPolicies(file, files[file] ?? '');
    count += policies.length;
    if (count > MAX_POLICIES)
      throw new PolicyInvalidError([
        { file, line: null, column: null, message: `there are more than ${MAX_POLICIES} policies` },
      ]);
    for (const from of policies) {
      const parsed = readPolicy(cedar, from, fault);
      if (parsed !== undefined) found.push({ ...parsed, from });
    }
    if (rest !== null) fault(file, rest.start, 'the policy that starts here does not end with ";"');
  }
  const schema = files[schemaFile ?? ''];
  if (schemaFile === undefined || schema === undefined)
    throw new PolicyInvalidError([
      ...faults,
      { file: id, line: null, column: null, message: 'there is no schema (a *.cedarschema file)' },
    ]);
  const byId = new Map<string, (typeof found)[number]>();
  for (const policy of found) {
    const other = byId.get(policy.id);
    if (other === undefined) byId.set(policy.id, policy);
    else fault(policy.from.file, policy.from.start, `a policy in ${other.from.file} already has the id "${policy.id}"`);
  }
  if (count === 0)
    faults.push({
      file: id,
      line: null,
      column: null,
      message: 'there are no policies, so nothing would ever be permitted',
    });
  if (schema !== serverSchema)
    for (const problem of checkSchema(cedar, schema)) fault(schemaFile, problem.bytes, problem.message);
  if (faults.length === 0) validate(cedar, schema, byId, fault);
  if (faults.length > 0) throw new PolicyInvalidError(inOrder(faults));
  const about = (actions: readonly string[]): PolicyJson[] =>
    found.map(({ json }) => json).filter((json) => actions.some((action) => actionFits(json.action, action)));
  const content: JsonObject = { files: Object.fromEntries(names.map((name) => [name, files[name] ?? ''])) };
  return {
    id,
    digest: `sha256:${createHash('sha256').update(canonicalJson(content)).digest('hex')}`,
    content,
    policies: found.map(({ from: _from, ...policy }) => policy),
    reads: {
      step: readsOf(about(['perform', 'weighStep'])),
      call: readsOf(about(['call', 'callUnattended', 'weighCall'])),
    },
  };
}

/**
 * Returns the input for Cedar: the text, whose locations its messages name, unless the text writes host names
 * differently.
 */
export function cedarOf({ isAsWritten, text, json }: Pick<CompiledPolicy, 'isAsWritten' | 'text' | 'json'>): Policy {
  return isAsWritten ? text : json;
}

/** Sorts issues by file and position. */
function inOrder(faults: readonly PolicyIssue[]): readonly PolicyIssue[] {
  const place = ({ line, column }: PolicyIssue): number => (line ?? 0) * 10_000 + (column ?? 0);
  return faults.toSorted((a, b) => (a.file === b.file ? place(a) - place(b) : a.file < b.file ? -1 : 1));
}

type Fault = (file: string, bytes: number | null, message: string) => void;

function readPolicy(cedar: Cedar, from: PolicyText, fault: Fault): CompiledPolicy | undefined {
  try {
    const answer = cedar.use((module) => module.policyToJson(from.text));
    if (answer.type === 'failure') {
      for (const error of answer.errors) tell(error, from, fault);
      return undefined;
    }
    readsOf([answer.json]);
    const json = withHostNames(answer.json);
    const weighs = ['weighStep', 'weighCall'].includes(onlyAction(answer.json) ?? '');
    return { ...readAnnotations(answer.json), text: from.text, json, isAsWritten: json === answer.json, weighs };
  } catch (error) {
    if (error instanceof CedarError) fault(from.file, from.start, 'this policy is nested too deeply to be read');
    else if (error instanceof AnnotationError || error instanceof PolicyReadError || error instanceof HostLiteralFault)
      fault(from.file, from.start, error.message);
    else throw error;
    return undefined;
  }
}

function validate(
  cedar: Cedar,
  schema: string,
  byId: ReadonlyMap<string, CompiledPolicy & { readonly from: PolicyText }>,
  fault: Fault,
): void {
  const staticPolicies = Object.fromEntries([...byId].map(([id, policy]) => [id, cedarOf(policy)]));
  const answer = cedar.use((module) =>
    module.validate({ validationSettings: { mode: 'strict' }, schema, policies: { staticPolicies } }),
  );
  if (answer.type === 'failure') {
    for (const error of answer.errors) fault([...byId.values()][0]?.from.file ?? '', null, error.message);
    return;
  }
  // A warning means a policy that can never hold, or look-alike characters: the policy does not protect what it should.
  const faulty = new Set(answer.validationErrors.map(({ policyId }) => policyId));
  const warnings = answer.validationWarnings.filter(({ policyId }) => !faulty.has(policyId));
  for (const { policyId, error } of [...answer.validationErrors, ...warnings]) {
    const policy = byId.get(policyId);
    if (policy !== undefined)
      tell({ ...error, message: error.message.replace(`for policy \`${policyId}\`, `, '') }, policy.from, fault);
  }
}

/** Reports an error at the first location among it and its related errors. */
function tell(error: DetailedError, from: PolicyText, fault: Fault): void {
  const [place] = error.sourceLocations ?? [];
  const message = error.message.replace(/^failed to parse policy from string: /, '');
  const wanted = place?.label === undefined || place.label === null ? '' : ` (${place.label})`;
  fault(
    from.file,
    from.start + (place?.start ?? 0),
    `${message}${wanted}${error.help === null ? '' : `; ${error.help}`}`,
  );
  for (const related of error.related ?? []) tell(related, from, fault);
}
