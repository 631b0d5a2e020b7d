import { type Approval, type Decision, type JsonValue, parseExactJson } from '@countersign/contract';
import type { DecisionDraft } from './pending-vote.js';

/** The action of the form: a decision, or approving a call with edited arguments. */
export type FormAction = Decision | 'edit';

/** Content of the form. The host stores it, so that it is not lost when the user leaves the page. */
export interface FormDraft {
  readonly act: FormAction;
  readonly comment: string;
  /** With `edit`: the arguments as text. */
  readonly argumentsText: string;
}

/**
 * Returns the initial form. Keeps the text of the previous form, so that it is not lost when the user selects another
 * decision.
 */
export function buildFormDraft(
  act: FormAction,
  { subject }: Pick<Approval, 'subject'>,
  previous?: FormDraft,
): FormDraft {
  const argumentsText = previous?.argumentsText ?? '';
  return {
    act,
    comment: previous?.comment ?? '',
    argumentsText: argumentsText !== '' ? argumentsText : JSON.stringify(subject.inputs, null, 2),
  };
}

/** Returns the action as the user sees it: approving a call with edited arguments requests approval from others. */
export function toFormAction({
  decision,
  editedArguments,
}: Pick<DecisionDraft, 'decision' | 'editedArguments'>): FormAction {
  return editedArguments === undefined ? decision : 'edit';
}

/** Returns the form of an undone decision. */
export function toFormDraft(draft: DecisionDraft): FormDraft {
  const { comment, editedArguments } = draft;
  return {
    act: toFormAction(draft),
    comment,
    argumentsText: editedArguments === undefined ? '' : JSON.stringify(editedArguments, null, 2),
  };
}

/** Returns the decision of a form; `undefined` if its arguments are not a JSON object. */
export function toDecisionDraft({ act, comment, argumentsText }: FormDraft): DecisionDraft | undefined {
  if (act !== 'edit') return { decision: act, comment };
  const editedArguments = parseObject(argumentsText);
  return editedArguments === undefined ? undefined : { decision: 'approve', comment, editedArguments };
}

function parseObject(text: string): Record<string, JsonValue> | undefined {
  try {
    const value = parseExactJson(text) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
