import type { DeploymentPlan, Problem } from '@countersign/contract';

/** One finding of the check of a BPMN model. */
export interface Finding {
  readonly severity: 'refusal' | 'error' | 'warning';
  readonly elementId: string | undefined;
  readonly message: string;
  /** Error code of a refusal, or rule of a warning. */
  readonly code: string;
  readonly line: number | undefined;
}

/** Returns the findings of a deployment plan, worst first. */
export function getPlanFindings({
  refusals,
  warnings,
}: Pick<DeploymentPlan, 'refusals' | 'warnings'>): readonly Finding[] {
  const refusalFindings = refusals.map(({ elementId, code, message, line }): Finding => ({
    severity: 'refusal',
    elementId: elementId ?? undefined,
    message,
    code,
    line: line ?? undefined,
  }));
  const warningFindings = warnings.map(({ severity, rule, elementId, message }): Finding => ({
    severity,
    elementId: elementId ?? undefined,
    message,
    code: rule,
    line: undefined,
  }));
  return [
    ...refusalFindings,
    ...warningFindings.filter(({ severity }) => severity === 'error'),
    ...warningFindings.filter(({ severity }) => severity === 'warning'),
  ];
}

/** Returns the findings of a refusal without a plan: for a file that is not BPMN, or a refused deployment. */
export function getProblemFindings({ errors, detail, title }: Problem): readonly Finding[] {
  if (errors.length === 0)
    return [
      { severity: 'refusal', elementId: undefined, message: detail ?? title, code: 'model_refused', line: undefined },
    ];
  return errors.map(({ pointer, code, message }): Finding => ({
    severity: 'refusal',
    elementId: pointer === '' || pointer.startsWith('/') ? undefined : pointer,
    message,
    code,
    line: undefined,
  }));
}

/** Returns the worst severity, the number and the messages of the findings of each element. */
export function summarizeByElement(
  findings: readonly Finding[],
): ReadonlyMap<string, { readonly severity: Finding['severity']; readonly count: number; readonly messages: string }> {
  const summaries = new Map<string, { severity: Finding['severity']; count: number; messages: string }>();
  for (const { elementId, severity, message } of findings) {
    if (elementId === undefined) continue;
    const existing = summaries.get(elementId);
    // The worst findings come first.
    if (existing === undefined) summaries.set(elementId, { severity, count: 1, messages: message });
    else
      summaries.set(elementId, {
        ...existing,
        count: existing.count + 1,
        messages: `${existing.messages}\n${message}`,
      });
  }
  return summaries;
}
