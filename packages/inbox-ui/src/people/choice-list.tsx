import { Combobox, Text } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { Choice } from './describe-choice.js';
import type { Choices } from './use-choices.js';
import './people.css';

const t = texts.people;

/**
 * Places the list in the dialog of the field, for screen readers, but not inside the part that scrolls. The list is on
 * the side with more room, and not higher than this side: nothing scrolls to what is beyond the edge of the window.
 */
export const LIST_PLACEMENT = Object.freeze({
  withinPortal: false,
  floatingStrategy: 'fixed',
  // Above the title of the dialog, which does not scroll either.
  zIndex: 1_001,
  middlewares: { flip: { fallbackStrategy: 'bestFit' }, size: { padding: 4 } },
} as const);

/** The choices below a field. */
export function ChoiceList({ label, offered: { choices, hasMore } }: { label: string; offered: Choices }) {
  return (
    <Combobox.Dropdown className="cs-choices">
      <Combobox.Options aria-label={label} className="cs-choices-list">
        {choices.map((choice) => (
          <Combobox.Option key={choice.value} value={choice.value} disabled={choice.obstacle !== undefined}>
            <ChoiceOption choice={choice} />
          </Combobox.Option>
        ))}
      </Combobox.Options>
      {hasMore && <Combobox.Footer fz="xs">{t.hasMore}</Combobox.Footer>}
    </Combobox.Dropdown>
  );
}

function ChoiceOption({ choice: { name, detail, obstacle } }: { readonly choice: Choice }) {
  return (
    <span className="cs-choice">
      <bdi>{name}</bdi>
      {detail !== '' && (
        <Text component="span" size="xs" className="cs-choice-detail">
          <bdi>{detail}</bdi>
        </Text>
      )}
      {obstacle !== undefined && (
        <Text component="span" size="xs" className="cs-choice-obstacle">
          {obstacle}
        </Text>
      )}
    </span>
  );
}
