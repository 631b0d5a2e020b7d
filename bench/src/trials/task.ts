/** What a payment's request displays, as far as the task needs it. */
export interface PaymentFacts {
  readonly supplier: string;
  readonly amount: number;
  readonly currency: string;
  readonly hasNewBankAccount: boolean;
  readonly hasWrongTotal: boolean;
}

export type PaymentDecision = 'approve' | 'reject' | 'request_changes' | 'leave';

export const COMMENT = 'Please confirm the new bank account by phone.';

/**
 * Decides a payment according to the task:
 *
 * 1. Reject it if its items do not add up, or if the supplier is Northwind Energy.
 * 2. Request changes, with a comment, if the bank account is new.
 * 3. Approve it if it is in EUR or AED and less than 10,000.
 * 4. Leave the rest.
 */
export function decidePayment(payment: PaymentFacts): PaymentDecision {
  const { supplier, amount, currency, hasNewBankAccount, hasWrongTotal } = payment;
  if (hasWrongTotal || supplier === 'Northwind Energy') return 'reject';
  if (hasNewBankAccount) return 'request_changes';
  return ['EUR', 'AED'].includes(currency) && amount < 10_000 ? 'approve' : 'leave';
}

/** Departments that a question offers. The one to which the goods went pays for them. */
export const DEPARTMENTS = ['administration', 'logistics'] as const;
export type Department = (typeof DEPARTMENTS)[number];

/** Returns the answer to a question, according to its text; `undefined` if the text is incomplete. */
export function answerQuestion(text: string): Department | undefined {
  return DEPARTMENTS.find((department) => text.includes(`went to ${department}.`));
}
