import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconHash, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isUuid } from '../api/is-uuid.js';
import { texts } from '../texts/index.js';
import type { Destination } from './navigation.js';

export function openPalette(): void {
  spotlight.open();
}

/** From anywhere to anywhere: pages by name, runs by id. */
export function CommandPalette({ destinations }: { readonly destinations: readonly Destination[] }) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const id = query.trim();
  const run: SpotlightActionData[] = isUuid(id) ? [{ id: 'run', label: texts.app.openRun(id), leftSection: <IconHash size={18} aria-hidden />, onClick: () => void navigate(`/runs/${id}`), keywords: id }] : [];
  const pages: SpotlightActionData[] = destinations.map(({ to, label, icon: Icon }) => ({ id: to, label, leftSection: <Icon size={18} aria-hidden />, onClick: () => void navigate(to) }));
  return (
    <Spotlight
      shortcut={null}
      attributes={{ content: { 'aria-label': texts.app.search } }}
      actions={[...run, ...pages]}
      query={query}
      onQueryChange={setQuery}
      nothingFound={texts.app.searchNothing}
      searchProps={{ 'leftSection': <IconSearch size={18} aria-hidden />, 'placeholder': texts.app.searchHint, 'aria-label': texts.app.search }}
    />
  );
}
