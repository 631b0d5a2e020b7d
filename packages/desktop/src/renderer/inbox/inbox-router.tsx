import { ApprovalsPage, QuestionsPage } from '@countersign/inbox-ui';
import { createMemoryRouter, Navigate, useRouteError } from 'react-router';
import { InboxWindow } from './inbox-window.js';

/**
 * Creates the router of the inbox pages. Addresses are not displayed, but contain the view's state as in the web UI.
 */
export function createInboxRouter() {
  return createMemoryRouter(
    [
      {
        path: '/',
        element: <InboxWindow />,
        errorElement: <RethrowRouteError />,
        children: [
          { path: 'approvals', element: <ApprovalsPage /> },
          { path: 'approvals/:approvalId', element: <ApprovalsPage /> },
          { path: 'approvals/questions/:questionId', element: <ApprovalsPage /> },
          { path: 'questions', element: <QuestionsPage /> },
          { path: '*', element: <Navigate to="/approvals" replace /> },
        ],
      },
    ],
    { initialEntries: ['/approvals'] },
  );
}

/**
 * Rethrows the error to the error boundary of the window, because the default error page of the router is not meant for
 * users.
 */
function RethrowRouteError(): never {
  throw useRouteError();
}
