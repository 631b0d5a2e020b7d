import type { DiagramLinks } from '@countersign/inbox-ui/diagram/diagram-view';
import { useMemo } from 'react';
import { useHref, useNavigate } from 'react-router';

/** Returns links for a diagram, which React does not render, under any base path. */
export function useDiagramLinks(): DiagramLinks {
  const base = useHref('/').replace(/\/$/, '');
  const navigate = useNavigate();
  return useMemo(
    () => ({ hrefOf: (page) => `${base}${page}`, follow: (page) => void navigate(page) }),
    [base, navigate],
  );
}
