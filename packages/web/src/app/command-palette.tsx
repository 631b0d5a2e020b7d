import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isUuid } from '../api/is-uuid.js';
import { Palette } from '../palette/palette.js';
import type { PaletteItem } from '../palette/rank-items.js';
import { useActionItems, useApprovalItems } from '../palette/use-palette-items.js';
import { useMay } from '../session/session.js';
import { texts } from '../texts/index.js';

interface CommandPaletteProps {
  readonly opened: boolean;
  onClose(): void;
}

/** From anywhere to anywhere, and whatever can be done here: by name; runs by id. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const decides = useMay('approver');
  const actions = useActionItems(opened);
  const approvals = useApprovalItems(
    opened && decides,
    query,
    (approvalId) => void navigate(`/approvals/${approvalId}`),
  );
  const id = query.trim();
  const run: PaletteItem[] = isUuid(id)
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
      items={[...run, ...actions, ...approvals]}
    />
  );
}
