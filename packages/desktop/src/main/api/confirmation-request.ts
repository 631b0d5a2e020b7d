import { appendUtcOffset, type Approval } from '@countersign/contract';
import type { AllowedOperation } from '../../common/operations.js';
import { formatDialogList, toDialogText } from '../signing/to-dialog-text.js';

/** Content of the dialog of the operating system in which the user confirms that others may decide. */
export interface ConfirmationRequest {
  readonly message: string;
  readonly detail: string;
}

type Input = Readonly<Record<string, unknown>>;

/** @returns `undefined` if the absence has no substitute and therefore does not let anyone else decide */
export function createAbsenceConfirmation({ body }: Input): ConfirmationRequest | undefined {
  const { substitute, from, until, allowUnknown } = body as {
    readonly substitute?: string;
    readonly allowUnknown?: boolean;
    readonly from?: string;
    readonly until: string;
  };
  if (substitute === undefined) return undefined;
  const startText = from === undefined ? 'Now' : formatTime(from);
  return {
    message: 'Let a substitute decide for you while you are away?',
    detail: `Substitute: ${toDialogText(substitute, 100)}\nFrom: ${startText}\nUntil: ${formatTime(until)}\n${allowUnknown === true ? `${UNKNOWN_NAMES_NOTE}\n` : ''}\nThe substitute can decide on every approval that names you.`,
  };
}

/** Returns the confirmation of a delegation or reassignment. It shows every field that the body sends, known or not. */
export function createReassignmentConfirmation(
  operation: AllowedOperation,
  { title }: Pick<Approval, 'title'>,
  { body }: Input,
): ConfirmationRequest {
  const isDelegation = operation === 'delegateApproval';
  const fields = Object.entries((body ?? {}) as Input).filter(([, value]) => value !== undefined);
  if (isDelegation && !fields.some(([name]) => name === 'until')) fields.push(['until', undefined]);
  return {
    message: isDelegation ? 'Let someone else decide for you?' : 'Let others decide?',
    detail: [toDialogText(title, 160), '', ...fields.flatMap(describeField)].join('\n'),
  };
}

const UNKNOWN_NAMES_NOTE = 'Names that are not known here are accepted.';

const FIELD_LABELS: Readonly<Record<string, string>> = {
  to: 'Who may decide for you',
  until: 'Until',
  candidateUsers: 'Users',
  candidateGroups: 'Groups',
  comment: 'Comment',
};

function describeField([name, value]: readonly [string, unknown]): string[] {
  if (name === 'allowUnknown' && typeof value === 'boolean') return value ? [UNKNOWN_NAMES_NOTE] : [];
  const label = Object.hasOwn(FIELD_LABELS, name) ? (FIELD_LABELS[name] ?? name) : toDialogText(name, 40);
  if (Array.isArray(value)) return formatDialogList(label, value.map(toFieldText));
  if (name === 'until') return [`${label}: ${value === undefined ? 'No end date' : formatTime(toFieldText(value))}`];
  return [`${label}: ${toFieldText(value)}`];
}

function toFieldText(value: unknown): string {
  return toDialogText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 300);
}

/** Formats a time of the request. The server refuses an invalid one, which is returned unchanged. */
function formatTime(at: string): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return toDialogText(at, 40);
  return appendUtcOffset(
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(time),
    time,
  );
}
