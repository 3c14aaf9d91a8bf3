import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { PayloadProblem } from '../../domain/problem.ts';
import type { StepName } from '../../domain/steps.ts';
import type { ImportKind } from '../../domain/import-kind.ts';
import type { ContractField } from './contract-field.ts';

/** What decides the payloads of each step: the interface document, or the contract that a tenancy publishes. */
export interface Contract {
  /** Names its text: two contracts with the same one say the same. */
  readonly fingerprint: string;
  readonly document: JsonObject;
  /** The documents of all its files, the same one first. */
  readonly documents: readonly JsonObject[];
  /** The ways in which it has accounts imported. */
  readonly imports: readonly ImportKind[];
  /** Whether it has the step's endpoint. Process, whose payload the tool makes itself, need not be described. */
  offers(step: StepName): boolean;
  /** What it documents of the step's payload; undefined for a step that it does not offer. */
  field(step: StepName): ContractField | undefined;
  /** What it documents at a dotted path of that payload. */
  at(step: StepName, path: string): ContractField | undefined;
  /** The payload with its numbers written as the contract wants them; no digit changes. */
  formed<Payload extends JsonValue>(step: StepName, payload: Payload): Payload;
  /** A synthetic payload of the interface as the contract has it; undefined for a step that it does not offer. */
  fitted(step: StepName, payload: JsonObject): JsonObject | undefined;
  /**
   * What it does not allow in the step's payload. Of a step that it does not offer: Always `not_offered`,
   * whatever is in it.
   */
  check(step: StepName, payload: JsonValue): readonly PayloadProblem[];
  /** What it says of the requests to the path of a step that a profile adds; undefined if it does not have the path. */
  added(path: string): AddedRequest | undefined;
  /** Whether it has the statuses of meter points and their registration. */
  readonly registers: boolean;
  /** Whether it has this path with GET, whatever its parameters are called. */
  asks(path: string): boolean;
  /** Places in it of patterns that are not checked, because no engine that always ends can run them. */
  readonly unchecked: readonly string[];
}

/** Requests that take one item, whatever the contract wraps it in. */
export interface AddedRequest {
  /** What the contract documents of an item. */
  readonly field: ContractField;
  /** Whether the body is a list of items. */
  readonly isList: boolean;
  /** The item with its numbers written as the contract wants them. */
  formed(item: JsonObject): JsonObject;
  /** A synthetic item as the contract has it, with a made-up value for each further field that it requires. */
  fitted(item: JsonObject): JsonObject;
  /** What the contract does not allow in an item. */
  check(item: JsonObject): readonly PayloadProblem[];
}

/** The contract that a tenancy publishes: it decides what the payloads of each step are. */
export type TenancyContract = Contract;
