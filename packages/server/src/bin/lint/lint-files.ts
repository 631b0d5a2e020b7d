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
import { REFUSAL_CODES_BY_RULE } from './bpmnlint-rules.js';
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

interface CompiledModel extends ModelFile {
  /** Empty if the file is refused. */
  readonly compiled: CompiledFile;
  readonly decisionIds: readonly string[];
  /** Reasons for which the engine would refuse the file. */
  readonly refusals: readonly (Finding & { readonly line?: number })[];
}

/** Checks BPMN and DMN files that may refer to each other. */
export async function lintFiles(files: readonly ModelFile[], now: number): Promise<readonly LocatedFinding[]> {
  const compiled: CompiledModel[] = [];
  for (const file of files) compiled.push(await compile(file));
  const workflowIds = compiled.flatMap(({ compiled: { workflows } }) => workflows.map(({ graph }) => graph.workflowId));
  const decisionIds = compiled.flatMap((model) => model.decisionIds);
  const located: LocatedFinding[] = [];
  for (const each of compiled)
    located.push(...locate(each, await collectFindings(each, { now, workflowIds, decisionIds })));
  return located;
}

const EMPTY_FILE: CompiledFile = { workflows: [], warnings: [] };

function isDmnFile({ file }: ModelFile): boolean {
  return file.toLowerCase().endsWith('.dmn');
}

async function compile(file: ModelFile): Promise<CompiledModel> {
  try {
    if (!isDmnFile(file))
      return { ...file, compiled: await compileWorkflows(file.bytes), decisionIds: [], refusals: [] };
    const { decisions } = await compileDecisions(file.bytes);
    return { ...file, compiled: EMPTY_FILE, decisionIds: [...decisions.keys()], refusals: [] };
  } catch (error) {
    if (!isModelRefusedError(error)) throw error;
    const refusals = error.problems.map(({ elementId, code, message, line }) => ({
      severity: 'error' as const,
      rule: code,
      elementId,
      message,
      ...(line === undefined ? {} : { line }),
    }));
    return { ...file, compiled: EMPTY_FILE, decisionIds: [], refusals };
  }
}

/** Returns the findings of a file, refusals first. A refused file has no other findings if it cannot be read. */
async function collectFindings(file: CompiledModel, options: LintOptions): Promise<readonly Finding[]> {
  const { compiled, refusals } = file;
  if (isDmnFile(file)) return refusals;
  const root = await readModel(file.bytes).catch((error: unknown) => {
    if (isModelRefusedError(error)) return undefined;
    throw error;
  });
  if (root === undefined) return refusals;
  const findings = await runBpmnlint(root, lintWorkflows(compiled, options));
  return [...refusals, ...findings.filter((finding) => !isCoveredByRefusal(refusals, finding))];
}

function isCoveredByRefusal(refusals: readonly Finding[], { rule, elementId }: Finding): boolean {
  const codes = REFUSAL_CODES_BY_RULE[rule.replace('bpmnlint/', '')] ?? [];
  return refusals.some((refusal) => refusal.elementId === elementId && codes.includes(refusal.rule));
}

const SEVERITY_ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Adds locations to findings and sorts them in the order of the file. */
function locate(
  { file, bytes }: ModelFile,
  findings: readonly (Finding & { readonly line?: number })[],
): LocatedFinding[] {
  const locations = locateElements(new TextDecoder().decode(bytes));
  return findings
    .map(({ severity, rule, elementId, message, line }): LocatedFinding => {
      const elementLocation = elementId === null ? undefined : locations.get(elementId);
      // The line of the finding (for example, of the second element with a duplicate id) is more precise than that of
      // the element.
      const position = line === undefined || line === elementLocation?.line ? elementLocation : { line, column: null };
      return {
        file,
        line: position?.line ?? null,
        column: position?.column ?? null,
        severity,
        rule,
        elementId,
        message,
      };
    })
    .sort(
      (one, other) =>
        (one.line ?? 0) - (other.line ?? 0) || SEVERITY_ORDER[one.severity] - SEVERITY_ORDER[other.severity],
    );
}
