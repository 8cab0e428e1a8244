/* The extension module: its types and functions, and their creation and release. */

#include "binding.h"

PyDoc_STRVAR(prepare_doc, "prepare(*wanted, /)\n--\n\n"
                          "Store the actions and prompts that Python created, and the functions for more.");

static PyObject *module_prepare(PyObject *module, PyObject *wanted)
{
    if (!prepare(PyModule_GetState(module), wanted)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(rollouts_doc, "rollouts(position, games, seed, threads, /)\n--\n\n"
                           "Play random games, and return the sums of their results.");

static PyMethodDef module_methods[] = {
    {"prepare", module_prepare, METH_VARARGS, prepare_doc},
    {"rollouts", module_rollouts, METH_VARARGS, rollouts_doc},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    state->table_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &table_spec, NULL);
    state->packed_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &packed_spec, NULL);
    state->view_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &view_spec, NULL);
    state->batch_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &batch_spec, NULL);
    if (!state->table_type || !state->packed_type || !state->view_type || !state->batch_type
        || PyModule_AddType(module, state->table_type) < 0
        || PyModule_AddType(module, state->packed_type) < 0
        || PyModule_AddType(module, state->batch_type) < 0
        || PyModule_AddFunctions(module, search_functions) < 0
        || PyModule_AddFunctions(module, call_functions) < 0
        || PyModule_AddIntConstant(module, "TABLES_VERSION", TABLES_VERSION) < 0
        || PyModule_AddIntConstant(module, "LAYOUT_VERSION", LAYOUT_VERSION) < 0) {
        if (!PyErr_Occurred()) { /* Python 3.11 sets no exception for a type */
            PyErr_NoMemory();
        }
        return -1;
    }
    return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    return visit_ready(PyModule_GetState(module), visit, arg);
}

static int module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    clear_ready(state);
    Py_CLEAR(state->table_type);
    Py_CLEAR(state->packed_type);
    Py_CLEAR(state->view_type);
    Py_CLEAR(state->batch_type);
    return 0;
}

static void module_free(void *module)
{
    State *state = PyModule_GetState(module);
    module_clear(module);
    if (state->has_pool) {
        close_pool(&state->pool);
    }
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "valletta_rules._native",
    .m_doc = "The native backend of the engine; use it through `valletta_rules.native`.",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__native(void);

PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&module_definition);
}
