import type { DiagramLinks } from '@countersign/inbox-ui/diagram/diagram-view';
import { useMemo } from 'react';
import { useHref, useNavigate } from 'react-router';

/** Links of a diagram, which is not drawn by React, to pages under whatever address they are served. */
export function useDiagramLinks(): DiagramLinks {
  const base = useHref('/').replace(/\/$/, '');
  const navigate = useNavigate();
  return useMemo(
    () => ({ hrefOf: (page) => `${base}${page}`, follow: (page) => void navigate(page) }),
    [base, navigate],
  );
}
