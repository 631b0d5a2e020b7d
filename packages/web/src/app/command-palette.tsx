import { getItemPath } from '@countersign/inbox-ui/approvals/approvals-path';
import { Palette } from '@countersign/inbox-ui/palette/palette';
import type { PaletteItem } from '@countersign/inbox-ui/palette/rank-items';
import { useActionItems, useInboxItems } from '@countersign/inbox-ui/palette/use-palette-items';
import { useHasRole } from '@countersign/inbox-ui/session/session';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isUuid } from '../api/is-uuid.js';
import { texts } from '../texts/index.js';

interface CommandPaletteProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Palette that opens pages, approvals, questions and runs, and runs any available action. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const canDecide = useHasRole('approver');
  const actions = useActionItems(opened);
  const waiting = useInboxItems(opened && canDecide, query, (item) => void navigate(getItemPath(item)));
  const id = query.trim();
  const runItems: PaletteItem[] = isUuid(id)
    ? [{ id: 'run', group: texts.runs.title, label: texts.app.openRun(id), run: () => void navigate(`/runs/${id}`) }]
    : [];
  return (
    <Palette
      opened={opened}
      onClose={() => {
        onClose();
        setQuery('');
      }}
      placeholder={texts.app.searchHint}
      query={query}
      onQuery={setQuery}
      items={[...runItems, ...actions, ...waiting]}
    />
  );
}
