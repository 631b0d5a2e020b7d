import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { isSameFilter, type RunFilter } from './run-filter.js';
import { MAX_NAME_LENGTH, parseViews, addOrReplaceView, serializeViews, type SavedView } from './saved-views.js';

const STORAGE_KEY = `countersign:run-views:${BASE_PATH}`;

const PREDEFINED_VIEWS: readonly SavedView[] = [
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

/** Menu of named filters: predefined views and the user's own views, which are stored in this browser. */
export function SavedViewsMenu({ filter, onFilter }: SavedViewsMenuProps) {
  const { views: viewTexts } = texts.runs;
  const [ownViews, setOwnViews] = useState(() => parseViews(localStorage.getItem(STORAGE_KEY)));
  /** Open dialog for a name. `name` is the view to rename; without it, the dialog saves a new view. */
  const [nameDialog, setNameDialog] = useState<{ readonly name?: string }>();
  const saveViews = (views: readonly SavedView[]): void => {
    localStorage.setItem(STORAGE_KEY, serializeViews(views));
    setOwnViews(views);
  };
  const currentView = [...ownViews, ...PREDEFINED_VIEWS].find((view) => isSameFilter(view.filter, filter));
  const currentOwnView = ownViews.find((view) => view === currentView);
  const renderView = (view: SavedView) => (
    <Menu.Item
      key={view.name}
      leftSection={
        view === currentView ? <IconCheck size={16} aria-hidden /> : <span style={{ display: 'block', width: 16 }} />
      }
      aria-current={view === currentView}
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
            {currentView === undefined ? viewTexts.unsaved : viewTexts.current(currentView.name)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={viewTexts.label}>
          <Menu.Label>{viewTexts.predefined}</Menu.Label>
          {PREDEFINED_VIEWS.map(renderView)}
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
                  { name, filter },
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
          label={texts.runs.views.name}
          description={texts.runs.views.nameHint}
          required
          data-autofocus
          maxLength={MAX_NAME_LENGTH}
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
