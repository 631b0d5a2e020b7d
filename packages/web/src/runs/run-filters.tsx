import { useTypedText } from '@countersign/inbox-ui/ui/use-typed-text';
import { Button, CloseButton, Group, Indicator, Pill, Popover, Select, Stack, Switch, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import { texts } from '../texts/index.js';
import { CHOICES, FILTERS, type FilterName, type RunFilter } from './run-filter.js';

interface RunFiltersProps {
  readonly filter: RunFilter;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  /** Sets one part of the filter; `null` and the empty string remove it. */
  onPart(name: FilterName, value: string | null): void;
  onClear(): void;
}

/** Shows all filters of the list of runs. Active filters are always visible and can be removed one by one. */
export function RunFilters({ filter, searchRef, onPart, onClear }: RunFiltersProps) {
  const { filters } = texts.runs;
  /** Clearing also discards text that was typed just now. */
  const [clears, setClears] = useState(0);
  const clear = (): void => {
    setClears(clears + 1);
    onClear();
  };
  const choice = (name: 'status' | 'outcome' | 'riskLevel' | 'waitingFor' | 'since') => (
    <Select
      label={filters[name]}
      placeholder={filters.any}
      clearable
      clearButtonProps={{ 'aria-label': filters.remove(filters[name]) }}
      data={CHOICES[name].map((value) => ({ value, label: labelOf(name, value) }))}
      value={filter[name] ?? null}
      onChange={(value) => onPart(name, value)}
      comboboxProps={{ withinPortal: false }}
    />
  );
  const active = FILTERS.filter((name) => filter[name] !== undefined && name !== 'q');
  return (
    <Stack gap="xs" className="cs-runs-filters">
      <Group gap="xs" role="search" aria-label={filters.group}>
        <Typed
          key={clears}
          label={texts.runs.search}
          value={filter.q ?? ''}
          onValue={(value) => onPart('q', value)}
          inputRef={searchRef}
          search
        />
        <Popover position="bottom-start" shadow="md" width="min(320px, calc(100vw - 24px))" trapFocus withRoles={false}>
          <Popover.Target>
            <Indicator label={active.length} size={16} disabled={active.length === 0}>
              <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
                {filters.group}
              </Button>
            </Indicator>
          </Popover.Target>
          <Popover.Dropdown role="dialog" aria-modal aria-label={filters.group} mah="70vh" style={{ overflow: 'auto' }}>
            <Stack gap="sm">
              {choice('status')}
              {choice('outcome')}
              {choice('waitingFor')}
              {choice('riskLevel')}
              {choice('since')}
              <Group grow>
                <TextInput
                  type="date"
                  label={filters.from}
                  value={filter.from ?? ''}
                  max={filter.to}
                  onChange={(event) => onPart('from', event.currentTarget.value)}
                />
                <TextInput
                  type="date"
                  label={filters.to}
                  value={filter.to ?? ''}
                  min={filter.from}
                  onChange={(event) => onPart('to', event.currentTarget.value)}
                />
              </Group>
              <Typed
                label={filters.workflowId}
                value={filter.workflowId ?? ''}
                onValue={(value) => onPart('workflowId', value)}
              />
              <Typed
                label={filters.startedBy}
                value={filter.startedBy ?? ''}
                onValue={(value) => onPart('startedBy', value)}
              />
              <Typed
                label={filters.businessKey}
                value={filter.businessKey ?? ''}
                onValue={(value) => onPart('businessKey', value)}
              />
              <Switch
                label={filters.stuck}
                description={filters.stuckHint}
                checked={filter.stuck !== undefined}
                onChange={(event) => onPart('stuck', event.currentTarget.checked ? 'true' : null)}
              />
              <Switch
                label={filters.root}
                description={filters.rootHint}
                checked={filter.root !== undefined}
                onChange={(event) => onPart('root', event.currentTarget.checked ? 'true' : null)}
              />
            </Stack>
          </Popover.Dropdown>
        </Popover>
        {active.map((name) => (
          <Pill
            key={name}
            size="md"
            h={28}
            withRemoveButton
            removeButtonProps={{
              'aria-label': filters.remove(filters[name]),
              'tabIndex': 0,
              'aria-hidden': false,
              'mih': 24,
              'miw': 24,
            }}
            onRemove={() => onPart(name, null)}
          >
            {name === 'stuck' || name === 'root'
              ? filters[name]
              : filters.is(filters[name], labelOf(name, filter[name] ?? ''))}
          </Pill>
        ))}
        {(active.length > 0 || filter.q !== undefined) && (
          <Button variant="subtle" size="compact-sm" mih={24} onClick={clear}>
            {filters.clear}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function labelOf(name: FilterName, value: string): string {
  const values: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.runs.filters.values;
  return values[name]?.[value] ?? value;
}

interface TypedProps {
  readonly label: string;
  readonly value: string;
  readonly search?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  onValue(value: string): void;
}

/** Filter with typed text, applied after a pause in typing. */
function Typed({ label, value, search = false, inputRef, onValue }: TypedProps) {
  const [text, change] = useTypedText(value, onValue);
  if (!search)
    return (
      <TextInput label={label} value={text} maxLength={255} onChange={(event) => change(event.currentTarget.value)} />
    );
  return (
    <TextInput
      ref={inputRef}
      type="search"
      aria-label={label}
      placeholder={texts.runs.searchHint}
      maxLength={200}
      w={{ sm: 280 }}
      flex={{ base: '1 1 180px', sm: 'none' }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label={texts.runs.filters.remove(label)} onClick={() => change('')} />
        )
      }
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}
