export const runStatus = {
  active: 'Active',
  blocked: 'Waiting',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  cancelling: 'Cancelling',
} as const;

export const stepStatus = {
  active: 'Active',
  waiting: 'Waiting',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const;

export const approvalStatus = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  changes_requested: 'Changes requested',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
} as const;

/** The word that distinguishes the kinds of items in the inbox. */
export const itemKinds = { approval: 'Approval', question: 'Question' } as const;

export const risk = { low: 'Low risk', medium: 'Medium risk', high: 'High risk', critical: 'Critical risk' } as const;
