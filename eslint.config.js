import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'fixtures/'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Overflows the stack on recursive types such as JsonValue.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    // The environment is passed in, so that every test can own it.
    files: ['src/**/*.ts'],
    ignores: ['src/cli/**', 'src/host/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'process',
          message: 'Take what you need as an argument; src/cli or src/host passes it in.',
        },
        { name: 'console', message: 'Write to the stream you were given.' },
        { name: 'setTimeout', message: 'Use the Clock you were given.' },
        { name: 'setInterval', message: 'Use the Clock you were given.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Use the Clock you were given.' },
        { object: 'Math', property: 'random', message: 'Use the Random you were given.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CatchClause CallExpression[callee.name="expect"]',
          message: 'Where nothing is thrown, nothing is asserted: use rejects or toThrow.',
        },
      ],
    },
  },
  {
    // Slow tests wait for real processes.
    files: ['test/**/*.test.ts'],
    ignores: ['test/**/*.slow.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'A test owns its clock: see test/pipeline/own-clock.ts.' },
        { name: 'setInterval', message: 'A test owns its clock: see test/pipeline/own-clock.ts.' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: ['timers/promises', 'node:timers/promises'].map((name) => ({
            name,
            importNames: ['setTimeout', 'setInterval'],
            message: 'A test owns its clock: see test/pipeline/own-clock.ts.',
          })),
        },
      ],
    },
  },
  {
    files: ['*.js', '*.cjs', 'bin/*.js', '.ci/*.js', 'test/**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        Buffer: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
      },
    },
  },
);
