import type { DiagramBadge } from '@countersign/inbox-ui/diagram/diagram-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { computeDiagramLayout } from '../diagram/diagram-layout.js';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { ChangeList } from './change-list.js';
import { compareModels, type ChangeKind, type ElementChange } from './compare-models.js';
import { ModelDiagram } from './model-diagram.js';

const t = texts.workflows;

interface ComparedModel {
  readonly xml: string;
  readonly title: string;
  readonly label: string;
}

/**
 * Shows two BPMN models with their differences marked and listed. The selected element (`?element=`) is selected in
 * both diagrams and in the list.
 */
export function Comparison({ before, after }: { readonly before: ComparedModel; readonly after: ComparedModel }) {
  const url = useUrlState();
  const layout = useMemo(() => computeDiagramLayout(after.xml), [after.xml]);
  const changesQuery = useQuery({
    queryKey: ['comparison', before.xml, after.xml],
    queryFn: () => compareModels(before.xml, after.xml),
    staleTime: 'static',
    gcTime: 0,
  });
  if (changesQuery.isPending) return <Loading />;
  if (changesQuery.isError) return <Alert color="red">{t.notReadable}</Alert>;
  const selected = url.get('element');
  const select = (element: string | undefined): void => url.set({ element });
  return (
    <div className="cs-comparison" {...layout}>
      <div className="cs-comparison-diagrams">
        <ComparisonSide
          model={before}
          changes={changesQuery.data}
          kinds={['removed', 'changed', 'moved']}
          selected={selected}
          onSelect={select}
        />
        <ComparisonSide
          model={after}
          changes={changesQuery.data}
          kinds={['added', 'changed', 'moved']}
          selected={selected}
          onSelect={select}
        />
      </div>
      <ChangeList changes={changesQuery.data} selected={selected} onSelect={select} />
    </div>
  );
}

interface ComparisonSideProps {
  readonly model: ComparedModel;
  readonly changes: readonly ElementChange[];
  readonly kinds: readonly ChangeKind[];
  readonly selected: string | undefined;
  onSelect(elementId: string | undefined): void;
}

function ComparisonSide({ model, changes, kinds, selected, onSelect }: ComparisonSideProps) {
  // As a dependency, a string stays equal even if the array is created again for each render.
  const kindsKey = kinds.join(' ');
  const shownChanges = useMemo(
    () =>
      changes.filter(({ kind, type }) => kindsKey.split(' ').includes(kind) && !/:(Process|Collaboration)$/.test(type)),
    [changes, kindsKey],
  );
  const marks = useMemo(
    () => new Map(shownChanges.map(({ elementId, kind }) => [elementId, `cs-${kind}`])),
    [shownChanges],
  );
  const badges = useMemo(
    () =>
      shownChanges.map(({ elementId, kind, type }): DiagramBadge => ({
        elementId,
        position: /Flow$/.test(type) ? 'bottom-center' : 'top-left',
        text: t.changeSigns[kind],
        className: `cs-${kind}`,
      })),
    [shownChanges],
  );
  return (
    <Stack gap={4} h="100%">
      <Title order={2} size="h6">
        <Text inherit span>
          {model.title}
        </Text>
      </Title>
      <ModelDiagram
        xml={model.xml}
        label={model.label}
        marks={marks}
        badges={badges}
        selected={selected}
        onSelect={onSelect}
      />
    </Stack>
  );
}
