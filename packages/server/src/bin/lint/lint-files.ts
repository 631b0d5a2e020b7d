import {
  compileDecisions,
  type CompiledFile,
  compileWorkflows,
  type Finding,
  type LintOptions,
  lintWorkflows,
  locateElements,
  readModel,
} from '@countersign/bpmn/lint';
import { isModelRefusedError } from '@countersign/model';
import { SAID_BY_REFUSAL } from './bpmnlint-rules.js';
import { runBpmnlint } from './run-bpmnlint.js';

export interface ModelFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** A finding with its location. */
export interface LocatedFinding extends Finding {
  readonly file: string;
  /** Line number from 1; `null` if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

interface Compiled extends ModelFile {
  /** Empty if the file is refused. */
  readonly compiled: CompiledFile;
  readonly decisionIds: readonly string[];
  /** Reasons for which the engine would refuse the file. */
  readonly refusals: readonly (Finding & { readonly line?: number })[];
}

/** Checks BPMN and DMN files that may refer to each other. */
export async function lintFiles(files: readonly ModelFile[], now: number): Promise<readonly LocatedFinding[]> {
  const compiled: Compiled[] = [];
  for (const file of files) compiled.push(await compile(file));
  const workflowIds = compiled.flatMap(({ compiled: { workflows } }) => workflows.map(({ graph }) => graph.workflowId));
  const decisionIds = compiled.flatMap((each) => each.decisionIds);
  const located: LocatedFinding[] = [];
  for (const each of compiled) located.push(...locate(each, await judge(each, { now, workflowIds, decisionIds })));
  return located;
}

const NOTHING: CompiledFile = { workflows: [], remarks: [] };

function isDecisions({ file }: ModelFile): boolean {
  return file.toLowerCase().endsWith('.dmn');
}

async function compile(file: ModelFile): Promise<Compiled> {
  try {
    if (!isDecisions(file))
      return { ...file, compiled: await compileWorkflows(file.bytes), decisionIds: [], refusals: [] };
    const { decisions } = await compileDecisions(file.bytes);
    return { ...file, compiled: NOTHING, decisionIds: [...decisions.keys()], refusals: [] };
  } catch (error) {
    if (!isModelRefusedError(error)) throw error;
    const refusals = error.problems.map(({ elementId, code, message, line }) => ({
      severity: 'error' as const,
      rule: code,
      elementId,
      message,
      ...(line === undefined ? {} : { line }),
    }));
    return { ...file, compiled: NOTHING, decisionIds: [], refusals };
  }
}

/** Returns the findings of a file, refusals first. A refused file has no other findings if it cannot be read. */
async function judge(file: Compiled, options: LintOptions): Promise<readonly Finding[]> {
  const { compiled, refusals } = file;
  if (isDecisions(file)) return refusals;
  const root = await readModel(file.bytes).catch((error: unknown) => {
    if (isModelRefusedError(error)) return undefined;
    throw error;
  });
  if (root === undefined) return refusals;
  const findings = await runBpmnlint(root, lintWorkflows(compiled, options));
  return [...refusals, ...findings.filter((finding) => !saidBy(refusals, finding))];
}

function saidBy(refusals: readonly Finding[], { rule, elementId }: Finding): boolean {
  const codes = SAID_BY_REFUSAL[rule.replace('bpmnlint/', '')] ?? [];
  return refusals.some((refusal) => refusal.elementId === elementId && codes.includes(refusal.rule));
}

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Adds locations to findings and sorts them in the order of the file. */
function locate(
  { file, bytes }: ModelFile,
  findings: readonly (Finding & { readonly line?: number })[],
): LocatedFinding[] {
  const places = locateElements(new TextDecoder().decode(bytes));
  return findings
    .map(({ severity, rule, elementId, message, line }): LocatedFinding => {
      const place = elementId === null ? undefined : places.get(elementId);
      // The finding's own line (for example of the second of two equal ids) is more precise than the element's.
      const at = line === undefined || line === place?.line ? place : { line, column: null };
      return { file, line: at?.line ?? null, column: at?.column ?? null, severity, rule, elementId, message };
    })
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || ORDER[one.severity] - ORDER[other.severity]);
}
