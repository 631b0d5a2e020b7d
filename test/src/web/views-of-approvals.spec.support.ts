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
    name: 'approvals, to whom may only look',
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
    name: 'approvals: failed',
    route: 'approvals',
    at: () => '/approvals',
    given: failing(/^approvals$/),
    seen: (page) => page.getByRole('alert').first(),
  },
  {
    name: 'approvals: several together',
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
    name: 'approvals: to whom is away',
    route: 'approvals',
    at: () => '/approvals',
    given: (page) => page.route('**/api/me/absence', (each) => each.fulfill({ json: { absence: AWAY } })),
    seen: (page) => page.getByRole('region', { name: 'Out of office' }).getByText('bea decides for you.'),
  },
];

/** A decision stays on its way: sent or refused, it would end the approval for the next view, or cover this one with a notice. */
const neverAnswered: View['given'] = (page) => page.context().route('**/decision', () => undefined);

const ONE: readonly View[] = [
  {
    name: 'an approval',
    route,
    at: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    seen: (page) => button(page, 'Approve'),
  },
  {
    name: 'an approval, to whom may only look',
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
    name: 'an approval: by two',
    route,
    at: ({ quorum }) => `/approvals/${quorum.approvalId}`,
    seen: (page) => page.getByText(/2 approvals are missing/).first(),
  },
  {
    name: 'an approval: of a call',
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
    name: 'an approval: the word on it',
    route,
    at: ({ simple }) => `/approvals/${simple[0]?.approvalId ?? ''}`,
    act: click('Request changes'),
    seen: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'an approval: asked once more',
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
    name: 'an approval: more ways',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: click('More decisions'),
    seen: (page) => page.getByRole('menuitem', { name: 'Reassign' }),
    opens: ['inbox/decision-actions.tsx'],
  },
  {
    name: 'an approval: with other arguments',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Edit arguments'),
    seen: (page) => page.getByRole('form', { name: 'Edit arguments' }),
  },
  {
    name: 'an approval: delegated',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Delegate'),
    seen: dialog('Delegate this approval'),
    opens: ['inbox/assign-dialogs.tsx'],
  },
  {
    name: 'an approval: reassigned',
    route,
    at: ({ call }) => `/approvals/${call.approvalId}`,
    act: more('Reassign'),
    seen: dialog('Reassign this approval'),
  },
  {
    name: 'an approval: a decision that can be taken back',
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
    name: 'an approval: signing out while a decision is on its way',
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
    name: 'an approval: signing out while a decision was sent and has no response yet',
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
    name: 'an approval: none',
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
    name: 'questions: one',
    route: 'questions',
    at: ({ questionId }) => `/questions?question=${questionId}`,
    seen: (page) => button(page, 'Send the answer'),
  },
  {
    name: 'questions: one, to whom may only look',
    route: 'questions',
    at: ({ questionId }) => `/questions?question=${questionId}`,
    as: 'viewer',
    seen: (page) => page.getByText('Only operators can answer questions.'),
  },
  {
    name: 'questions: what is to be corrected',
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
    name: 'questions: failed',
    route: 'questions',
    at: () => '/questions',
    given: failing(/^questions$/),
    seen: (page) => page.getByRole('alert'),
  },
];

export const VIEWS_OF_APPROVALS: readonly View[] = [...LIST, ...ONE, ...QUESTIONS];
