import type { DeploymentPlan, Problem } from '@countersign/contract';

/** A problem of a BPMN model: a reason why its deployment is refused, or the result of a model check. */
export interface Finding {
  readonly severity: 'refusal' | 'error' | 'warning';
  readonly elementId: string | undefined;
  readonly message: string;
  /** The error code of a refusal; otherwise the rule of the model check. */
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

/** Returns the findings of a problem document, for a refused deployment or a file that is not BPMN. */
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

/** Summarizes the findings by element: the worst severity, the number of findings and their messages. */
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
