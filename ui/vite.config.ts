import { defineConfig } from "vitest/config";
import { viteSingleFile } from "vite-plugin-singlefile";

// One self-contained template, dist/report.html: the command line puts the data in.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    rollupOptions: { input: "report.html" },
    reportCompressedSize: false,
  },
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser after the other: the pages are measured, and machines are small.
    fileParallelism: false,
  },
});
