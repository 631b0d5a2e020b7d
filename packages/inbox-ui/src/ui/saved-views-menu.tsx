import { ActionIcon, Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { BASE_PATH } from '../app/base-url.js';
import { texts } from '../texts/index.js';
import { MAX_NAME_LENGTH, parseViews, addOrReplaceView, serializeViews, type SavedView } from './saved-views.js';

interface SavedViewsMenuProps {
  /** Name of the list in the storage of the browser. */
  readonly list: string;
  readonly predefinedViews: readonly SavedView[];
  /** The current filter in its canonical form. */
  readonly query: string;
  /** Whether only an icon is shown, for narrow places. */
  readonly compact?: boolean;
  /** Returns the canonical form of a query, without unknown names and invalid values. */
  normalize(query: string): string;
  onQuery(query: string): void;
  /** Content at the end of a view, such as its count. Rendered while the menu is open. */
  renderCount?(query: string): ReactNode;
}

/** Menu of named filters of a list: predefined views and the user's own views, which are stored in this browser. */
export function SavedViewsMenu(props: SavedViewsMenuProps) {
  const { list, predefinedViews, query, compact = false, normalize, onQuery, renderCount } = props;
  const viewTexts = texts.views;
  const storageKey = `countersign:${list}-views:${BASE_PATH}`;
  const [ownViews, setOwnViews] = useState(() => parseViews(localStorage.getItem(storageKey), normalize));
  /** Open dialog for a name. `name` is the view to rename; without it, the dialog saves a new view. */
  const [nameDialog, setNameDialog] = useState<{ readonly name?: string }>();
  const saveViews = (views: readonly SavedView[]): void => {
    localStorage.setItem(storageKey, serializeViews(views));
    setOwnViews(views);
  };
  const currentView = [...ownViews, ...predefinedViews].find((view) => view.query === query);
  const currentOwnView = ownViews.find((view) => view === currentView);
  const renderView = (view: SavedView) => (
    <Menu.Item
      key={view.name}
      leftSection={
        view === currentView ? <IconCheck size={16} aria-hidden /> : <span style={{ display: 'block', width: 16 }} />
      }
      aria-current={view === currentView}
      rightSection={renderCount?.(view.query)}
      onClick={() => onQuery(view.query)}
    >
      {view.name}
    </Menu.Item>
  );
  const label = currentView === undefined ? viewTexts.unsaved : viewTexts.current(currentView.name);
  return (
    <>
      <Menu position="bottom-start" shadow="md" width={260}>
        <Menu.Target>
          {compact ? (
            <ActionIcon variant="default" size={36} aria-label={label} title={label}>
              <IconBookmark size={16} aria-hidden />
            </ActionIcon>
          ) : (
            <Button
              variant="default"
              leftSection={<IconBookmark size={16} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {label}
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown aria-label={viewTexts.label}>
          <Menu.Label>{viewTexts.predefined}</Menu.Label>
          {predefinedViews.map(renderView)}
          {ownViews.length > 0 && <Menu.Label>{viewTexts.own}</Menu.Label>}
          {ownViews.map(renderView)}
          <Menu.Divider />
          {currentView === undefined && (
            <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNameDialog({})}>
              {viewTexts.save}
            </Menu.Item>
          )}
          {currentOwnView !== undefined && (
            <>
              <Menu.Item
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() => setNameDialog({ name: currentOwnView.name })}
              >
                {viewTexts.rename}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => saveViews(ownViews.filter((view) => view !== currentOwnView))}
              >
                {viewTexts.remove}
              </Menu.Item>
            </>
          )}
          {currentView !== undefined && currentOwnView === undefined && (
            <Menu.Item disabled>{viewTexts.save}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={nameDialog !== undefined}
        onClose={() => setNameDialog(undefined)}
        title={nameDialog?.name === undefined ? viewTexts.saveTitle : viewTexts.renameTitle}
      >
        {nameDialog !== undefined && (
          <NameForm
            name={nameDialog.name ?? ''}
            onName={(name) => {
              saveViews(
                addOrReplaceView(
                  ownViews.filter((view) => view.name !== nameDialog.name),
                  { name, query },
                ),
              );
              setNameDialog(undefined);
            }}
          />
        )}
      </Modal>
    </>
  );
}

function NameForm({ name: initialName, onName }: { readonly name: string; onName(name: string): void }) {
  const [name, setName] = useState(initialName);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.views.name}
          description={texts.views.nameHint}
          required
          data-autofocus
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={name.trim() === ''}>
            {texts.views.confirmSave}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
