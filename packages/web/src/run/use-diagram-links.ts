import type { DiagramLinks } from '@countersign/inbox-ui/diagram/diagram-view';
import { useMemo } from 'react';
import { useHref, useNavigate } from 'react-router';

/**
 * Returns the link handlers of a diagram, which is rendered outside React. The links include the base path of the
 * application.
 */
export function useDiagramLinks(): DiagramLinks {
  const base = useHref('/').replace(/\/$/, '');
  const navigate = useNavigate();
  return useMemo(
    () => ({ getHref: (page) => `${base}${page}`, follow: (page) => void navigate(page) }),
    [base, navigate],
  );
}
