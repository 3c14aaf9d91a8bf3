/** What a version adds to the structure, and the tables that it removes. */
export interface Added {
  readonly adds: readonly string[];
  readonly drops?: readonly string[];
}

/**
 * What each version of the schema adds: a table with its columns and their types, `!` where a value is required, or an index. A test
 * compares it with the migrations.
 */
export const structureAdded: readonly Added[] = [
  {
    adds: [
      'platform: id integer!, identity text!, label text!',
      'supplier: id integer!, code text!, platform integer!',
      'actor: id integer!, login text!, version text!, host text!',
      'source: id integer!, place text!, platform integer!',
      'account: id bigint!, source integer, supplier integer!, absent smallint!, restore integer!, steps bigint!, data integer',
      'account: staged_hash text, code text!, state smallint!, number text!, kraken_account_number text, plan_hash text',
      'attempt: id bigint!, part integer!, sent_at bigint!, attempt integer!, step smallint!, words text, run integer!',
      'attempt: hash text!, code text, state smallint!, took bigint, status integer, account bigint!, outcome text',
      'restore: id integer!, at bigint!',
      'trouble: id bigint!, account bigint!',
      'intervention: id bigint!, command text!, accounts bigint, actor integer, at bigint!',
      'part_cell: file text!, position integer!, account bigint!, part integer!, col text!, step smallint!, line bigint!',
      'part: account bigint!, state smallint!, took bigint, run integer!, part integer!, money text, sent_at bigint!',
      'part: attempt integer!, words text, hash text!, prints text, code text, outcome text, step smallint!, status integer',
      'finished: supplier integer!, content text, restore integer!, fingerprint text!, suppliers integer!, run integer!',
      'finished: epoch bigint!',
      'lease: since bigint!, expires_at bigint!, host text!, supplier integer!, pid bigint!, epoch bigint!, process_start text!',
      'run: boot text, started_at bigint!, id integer!, requests bigint, dry_run smallint!, boot_at bigint, named bigint',
      'run: supplier text, reason text, ended_at bigint, actor integer, platform integer!, pace text, retries bigint',
      'run: exit integer, export text!, accounts text',
      'intervened: account bigint!, intervention bigint!',
      'problem: file text, col text, step smallint, warning smallint!, line bigint, code text!, account bigint!',
      'problem: position integer!, path text!',
      'reading: source integer!, supplier integer!, accounts bigint, whole smallint!',
      'former_stamp: commits bigint!, identity text!',
      'tally: step smallint!, accounts bigint!, supplier integer!, state smallint!',
      'superseded: hash text!, col text, told smallint!, line bigint, account bigint!, file text',
      'batch: at timestamp with time zone!, session text!, number bigint!',
      'stamp: commits bigint!, id integer!, identity text!',
      'journal_version: version integer!',
      'index platform_pkey',
      'index platform_identity_key',
      'index supplier_pkey',
      'index supplier_platform_code_key',
      'index actor_pkey',
      'index actor_login_host_version_key',
      'index run_pkey',
      'index lease_pkey',
      'index source_pkey',
      'index source_platform_place_key',
      'index account_pkey',
      'index account_supplier_number_key',
      'index account_of_number',
      'index absent_account',
      'index staged_by_dry_run',
      'index part_pkey',
      'index attempt_pkey',
      'index attempt_of_account',
      'index problem_pkey',
      'index part_cell_pkey',
      'index superseded_pkey',
      'index tally_pkey',
      'index reading_pkey',
      'index restore_pkey',
      'index finished_pkey',
      'index trouble_pkey',
      'index intervention_pkey',
      'index intervened_pkey',
      'index stamp_pkey',
      'index former_stamp_pkey',
      'index batch_pkey',
    ],
  },
  {
    adds: [
      'writer: id bigint!, fenced smallint!, commits bigint!, at timestamp with time zone!, closed smallint!, session text!',
      'run_group: id bigint!, fixes text!, platform integer!, book text!, place text!, stopped text',
      'runner: id bigint!, pid bigint!, since bigint!, process_start text!, expires_at bigint!, session text!, run integer!',
      'runner: run_group bigint!, budget text!, heard text, granted text!, host text!',
      'partition: number smallint!, result text, epoch bigint!, run_group bigint!, runner bigint',
      'lease: session text!, run_group bigint',
      'tally: writer bigint!',
      'index writer_pkey',
      'index writer_session_key',
      'index run_group_pkey',
      'index run_group_of_book',
      'index runner_pkey',
      'index runner_of_group',
      'index living_runner',
      'index partition_pkey',
    ],
    drops: [
      'former_stamp',
      'batch',
      'stamp',
      'index stamp_pkey',
      'index former_stamp_pkey',
      'index batch_pkey',
    ],
  },
  {
    adds: ['moved: target text!'],
  },
  {
    adds: ['index changed_after_import'],
  },
  {
    adds: ['account: changed integer, row_print text', 'index changed_in_run'],
  },
  {
    adds: ['index refused_data'],
  },
  {
    adds: [
      'journal_identity: identity text!, place text!, servers text!, former text!, changed timestamp with time zone!',
      'index one_identity',
    ],
  },
  {
    adds: [
      'upgrade: id integer!, from_schema integer!, backup text, actor integer, accounts bigint!, from_version text',
      'upgrade: to_schema integer!, at bigint!',
      'conclusion: rules integer!, id integer!',
      'index upgrade_pkey',
      'index conclusion_pkey',
    ],
  },
  {
    adds: ['spelling: account bigint!, composed text!, supplier integer!', 'index spelling_pkey'],
  },
  {
    adds: ['index journal_version_pkey', 'index journal_identity_pkey', 'index moved_pkey'],
  },
  {
    adds: ['run: facts text'],
  },
  {
    adds: [
      'read_back_pass: id bigint!, supplier integer!, selection text!, began_at bigint!, ended_at bigint',
      'read_back: account bigint!, pass bigint!, at bigint!, differences bigint!, hidden bigint!, points bigint!',
      'index read_back_pass_pkey',
      'index read_back_pkey',
      'index read_back_at',
    ],
  },
  { adds: [] },
  {
    adds: [
      'item: platform integer!, step text!, item text!, state smallint!, hash text!, attempt integer!, lost integer!',
      'item: run integer!, restore integer!, sent_at bigint!, took bigint, outcome text, status integer, code text, words text',
      'index item_pkey',
    ],
  },
];
