import { button, click, dialog, empty, failing, type View } from './view.spec.support.js';

const route = 'approvals/:approvalId';
const more =
  (item: string): NonNullable<View['act']> =>
  async (page) => {
    await button(page, 'More decisions').click();
    await page.getByRole('menuitem', { name: item }).click();
  };

const AWAY = {
  subject: 'ada',
  substitute: 'bea',
  from: '2026-01-01T00:00:00.000Z',
  until: '2999-01-01T00:00:00.000Z',
  setAt: '2026-01-01T00:00:00.000Z',
  setBy: 'ada',
};

const openAbsence: NonNullable<View['act']> = async (page) => {
  await page.getByRole('button', { name: /^\w+ · / }).click();
  await page.getByRole('menuitem', { name: 'Out of office' }).click();
};

function enterAbsenceUntil(localTime: string): NonNullable<View['act']> {
  return async (page, ...others) => {
    await openAbsence(page, ...others);
    await page.getByLabel('Absent until').fill(localTime);
  };
}

const LIST: readonly View[] = [
  {
    name: 'approvals',
    route: 'approvals',
    at: () => '/approvals',
    seen: (page) => page.getByRole('row', { name: /Approve the risky release/ }),
  },
  {
    name: 'approvals, as a viewer',
    route: 'approvals',
    at: () => '/approvals',
    as: 'viewer',
    seen: (page) => page.getByRole('row', { name: /Approve the risky release/ }),
  },
  {
    name: 'approvals: none',
    route: 'approvals',
    at: () => '/approvals',
    given: empty(/^approvals$/),
    seen: (page) => page.getByText('Nothing is waiting for you.'),
  },
  {
    name: 'approvals: failed to load',
    route: 'approvals',
    at: () => '/approvals',
    given: failing(/^approvals$/),
    seen: (page) => page.getByRole('alert').first(),
  },
  {
    name: 'approvals: several selected',
    route: 'approvals',
    at: () => '/approvals',
    act: async (page) => {
      const boxes = page.getByRole('row', { name: /Approve the release.*Lets simple/ }).getByRole('checkbox');
      await boxes.nth(0).click();
      await boxes.nth(1).click();
      await button(page, 'Approve 2').click();
    },
    seen: dialog('Approve 2 requests together?'),
    opens: ['inbox/bulk-vote-dialog.tsx'],
  },
  {
    name: 'approvals: out of office',
    route: 'approvals',
    at: () => '/approvals',
    act: openAbsence,
    seen: (page) => page.getByRole('dialog', { name: 'Out of office' }).getByLabel('Absent until'),
    opens: ['inbox/assign-dialogs.tsx'],
  },
  {
    name: 'approvals: out of office until an hour that occurs twice',
    route: 'approvals',
    at: () => '/approvals',
    act: enterAbsenceUntil('2099-10-25T02:30'),
    seen: (page) => page.getByRole('radio', { name: /^02:30 UTC\+02:00/ }),
  },
  {
    name: 'approvals: out of office until an hour that is skipped',
    route: 'approvals',
    at: () => '/approvals',
    act: enterAbsenceUntil('2099-03-29T02:30'),
    seen: (page) => page.getByText(/02:30 does not exist/),
  },
  {
    name: 'approvals: as an absent user',
    route: 'approvals',
    at: () => '/approvals',
    given: (page) => page.route('**/api/me/absence', (each) => each.fulfill({ json: { absence: AWAY } })),
    seen: (page) => page.getByRole('region', { name: 'Out of office' }).getByText('bea decides for you.'),
  },
];

/** Keeps a vote pending: sent or refused, it would end the approval for the next view, or cover this with a notice. */
const neverAnswered: View['given'] = (page) => page.context().route('**/decision', () => undefined);

const ONE: readonly View[] = [
  {
    name: 'an approval',
    route,
    at: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    seen: (page) => button(page, 'Approve'),
  },
  {
    name: 'an approval, as a viewer',
    route,
    at: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    as: 'viewer',
    seen: (page) => page.getByText('Your role can’t decide approvals.'),
  },
  {
    name: 'an approval: another round',
    route,
    at: ({ again }) => `/approvals/${again.approvalId}`,
    seen: (page) => page.getByRole('heading', { name: 'Since round 1' }),
  },
  {
    name: 'an approval by two users',
    route,
    at: ({ quorum }) => `/approvals/${quorum.approvalId}`,
    seen: (page) => page.getByText(/2 approvals are missing/).first(),
  },
  {
    name: 'an approval of a tool call',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    seen: (page) => page.getByText(/Calls note with text/).first(),
  },
  {
    name: 'an approval: its evidence',
    route,
    at: ({ risky }) => `/approvals/${risky.approvalId}`,
    act: click('Open notes.md'),
    seen: (page) => page.getByText('Opened', { exact: true }),
  },
  {
    name: 'an approval: the comment on a decision',
    route,
    at: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    act: click('Request changes'),
    seen: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'an approval: the confirmation of a high risk',
    route,
    at: ({ risky }) => `/approvals/${risky.approvalId}`,
    act: async (page) => {
      await button(page, 'Open notes.md').click();
      await page.getByText('Opened', { exact: true }).waitFor();
      await button(page, 'Approve').click();
      await page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
    },
    seen: dialog('High risk: approve it?'),
    opens: ['inbox/vote-confirm-dialog.tsx', 'inbox/decision-form.tsx'],
  },
  {
    name: 'an approval: more decisions',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: click('More decisions'),
    seen: (page) => page.getByRole('menuitem', { name: 'Reassign' }),
    opens: ['inbox/decision-actions.tsx'],
  },
  {
    name: 'an approval: editing the arguments',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Edit arguments'),
    seen: (page) => page.getByRole('form', { name: 'Edit arguments' }),
  },
  {
    name: 'an approval: delegating',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Delegate'),
    seen: dialog('Delegate this approval'),
    opens: ['inbox/assign-dialogs.tsx'],
  },
  {
    name: 'an approval: reassigning',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Reassign'),
    seen: dialog('Reassign this approval'),
  },
  {
    name: 'an approval: a vote in the undo window',
    route,
    at: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    alone: true,
    given: neverAnswered,
    act: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    },
    seen: (page) => page.getByText(/^Rejecting “Approve the release”/).first(),
  },
  {
    name: 'an approval: signing out with a pending vote',
    route,
    at: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    alone: true,
    given: neverAnswered,
    act: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
      await page
        .getByText(/^Rejecting “Approve the release”/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: /^\w+ · / }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
    seen: dialog('Decisions are being sent'),
    opens: ['approvals/leave-dialog.tsx'],
  },
  {
    name: 'an approval: signing out with a vote that has no response yet',
    route,
    at: ({ simple }) => `/approvals/${simple[1]?.approvalId ?? ''}`,
    alone: true,
    given: neverAnswered,
    act: async (page) => {
      await button(page, 'Reject').click();
      await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
      await page.getByText('Rejecting “Approve the release”: sending …').waitFor();
      await page.getByRole('button', { name: /^\w+ · / }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
    seen: dialog('Decisions are being sent'),
  },
  {
    name: 'a nonexistent approval',
    route,
    at: () => '/approvals/01890000-0000-7000-8000-000000000000',
    seen: (page) => page.getByText('Approval not found'),
  },
];

const QUESTIONS: readonly View[] = [
  {
    name: 'questions',
    route: 'questions',
    at: () => '/questions',
    seen: (page) => page.getByRole('row', { name: /Whose is it/ }),
  },
  {
    name: 'questions: one question',
    route: 'questions',
    at: ({ questionId }) => `/questions?question=${questionId}`,
    seen: (page) => button(page, 'Send the answer'),
  },
  {
    name: 'questions: one question, as a viewer',
    route: 'questions',
    at: ({ questionId }) => `/questions?question=${questionId}`,
    as: 'viewer',
    seen: (page) => page.getByText('Only operators can answer questions.'),
  },
  {
    name: 'questions: an invalid answer',
    route: 'questions',
    at: ({ questionId }) => `/questions?question=${questionId}`,
    act: click('Send the answer'),
    seen: (page) => page.getByRole('alert').first(),
  },
  {
    name: 'questions: none',
    route: 'questions',
    at: () => '/questions',
    given: empty(/^questions$/),
    seen: (page) => page.getByText('No open questions'),
  },
  {
    name: 'questions: failed to load',
    route: 'questions',
    at: () => '/questions',
    given: failing(/^questions$/),
    seen: (page) => page.getByRole('alert'),
  },
];

export const VIEWS_OF_APPROVALS: readonly View[] = [...LIST, ...ONE, ...QUESTIONS];
