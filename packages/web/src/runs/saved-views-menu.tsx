import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { isSame, type RunFilter } from './run-filter.js';
import { LONGEST_NAME, readViews, withView, writeViews, type SavedView } from './saved-views.js';

const STORE = `countersign:run-views:${BASE_PATH}`;

const SHIPPED: readonly SavedView[] = [
  { name: texts.runs.views.all, filter: {} },
  { name: texts.runs.views.attention, filter: { status: 'failed' } },
  { name: texts.runs.views.approvals, filter: { waitingFor: 'approval' } },
  { name: texts.runs.views.questions, filter: { waitingFor: 'question' } },
  { name: texts.runs.views.stuck, filter: { stuck: 'true' } },
];

interface SavedViewsMenuProps {
  readonly filter: RunFilter;
  onFilter(filter: RunFilter): void;
}

/** Named filters: predefined ones, and the user's own, stored in this browser. */
export function SavedViewsMenu({ filter, onFilter }: SavedViewsMenuProps) {
  const { views: words } = texts.runs;
  const [own, setOwn] = useState(() => readViews(localStorage.getItem(STORE)));
  /** `name`: view being renamed; without it, a new view is saved. */
  const [naming, setNaming] = useState<{ readonly name?: string }>();
  const keep = (views: readonly SavedView[]): void => {
    localStorage.setItem(STORE, writeViews(views));
    setOwn(views);
  };
  const current = [...own, ...SHIPPED].find((view) => isSame(view.filter, filter));
  const currentOwn = own.find((view) => view === current);
  const entry = (view: SavedView) => (
    <Menu.Item
      key={view.name}
      leftSection={
        view === current ? <IconCheck size={16} aria-hidden /> : <span style={{ display: 'block', width: 16 }} />
      }
      aria-current={view === current}
      onClick={() => onFilter(view.filter)}
    >
      {view.name}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-start" shadow="md" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {current === undefined ? words.unsaved : words.current(current.name)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={words.label}>
          <Menu.Label>{words.shipped}</Menu.Label>
          {SHIPPED.map(entry)}
          {own.length > 0 && <Menu.Label>{words.own}</Menu.Label>}
          {own.map(entry)}
          <Menu.Divider />
          {current === undefined && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNaming({})}>
              {words.save}
            </Menu.Item>
          )}
          {currentOwn !== undefined && (
            <>
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setNaming({ name: currentOwn.name })}
              >
                {words.rename}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => keep(own.filter((view) => view !== currentOwn))}
              >
                {words.remove}
              </Menu.Item>
            </>
          )}
          {current !== undefined && currentOwn === undefined && <Menu.Item disabled>{words.save}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={naming !== undefined}
        onClose={() => setNaming(undefined)}
        title={naming?.name === undefined ? words.saveTitle : words.renameTitle}
      >
        {naming !== undefined && (
          <NameForm
            name={naming.name ?? ''}
            onName={(name) => {
              keep(
                withView(
                  own.filter((view) => view.name !== naming.name),
                  { name, filter },
                ),
              );
              setNaming(undefined);
            }}
          />
        )}
      </Modal>
    </>
  );
}

function NameForm({ name: initial, onName }: { readonly name: string; onName(name: string): void }) {
  const [name, setName] = useState(initial);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.runs.views.name}
          description={texts.runs.views.nameHint}
          required
          data-autofocus
          maxLength={LONGEST_NAME}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === ''}>
            {texts.runs.views.confirmSave}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
