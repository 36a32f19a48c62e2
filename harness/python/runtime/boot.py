"""The first code of a worker: makes what the bundle holds importable, then serves. `bundle` is there already."""

import sys

# The folder that a program is started in would be looked at first.
sys.path[:] = [entry for entry in sys.path if entry]


class Modules:
    """Finds what the bundle holds, before all else."""

    def __init__(self, codes):
        self.codes = codes

    def find_spec(self, name, path=None, target=None):
        if name not in self.codes and not self.is_package(name):
            return None
        from _frozen_importlib import ModuleSpec

        return ModuleSpec(name, self, is_package=self.is_package(name))

    def is_package(self, name):
        return any(other.startswith(name + ".") for other in self.codes)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__spec__.name
        if name in self.codes:
            exec(self.codes[name], module.__dict__)


sys.meta_path.insert(0, Modules(bundle["modules"]))  # noqa: F821

from assay_worker.worker import main  # noqa: E402

main(bundle)  # noqa: F821
