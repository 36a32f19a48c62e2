// A contract function of device views and a stream as the worker calls it: with tensors. The emulated device's memory
// is the host's, so that kernels work in the judge's own arena, between its guard pages; a real one has a copy.
#ifndef ASSAY_WORKER_DEVICE_CALL_HPP
#define ASSAY_WORKER_DEVICE_CALL_HPP

#include "worker/device_runs.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <assay/device.hpp>
#include <assay/half.hpp>
#include <assay/optional.hpp>
#include <assay/tensor.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace assay {

/// How the judge's side calls an element type of CUDA's.
template <class T> struct stored { using type = T; };
template <> struct stored<__half> { using type = half; };
template <> struct stored<__nv_bfloat16> { using type = bfloat16; };
template <class T> struct stored<const T> { using type = const typename stored<T>::type; };

/// What the worker passes in the place of a parameter, and how that becomes the parameter.
template <class P> struct handed {
    using type = P;
    static P over(const P& value, const DeviceRuns&) { return value; }
    static void list(const P&, const char*, std::vector<DeviceTensor>&) {}
};

template <class T, std::size_t Rank> struct handed<device_view<T, Rank>> {
    using type = tensor<typename stored<T>::type, Rank>;
    using plain = std::remove_const_t<T>;
    static_assert(sizeof(T) == sizeof(typename stored<T>::type));

    static device_view<T, Rank> over(const type& view, const DeviceRuns& runs) {
        std::ptrdiff_t extents[Rank], strides[Rank];
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            extents[axis] = view.extent(axis);
            strides[axis] = view.stride(axis);
        }
        return {reinterpret_cast<T*>(runs.place(view.data())), extents, strides};
    }
    static void list(const type& view, const char* parameter, std::vector<DeviceTensor>& tensors) {
        DeviceTensor tensor{parameter, nullptr, sizeof(T), {}, {}, !std::is_const_v<T>, value};
        tensor.data = reinterpret_cast<unsigned char*>(const_cast<plain*>(reinterpret_cast<const plain*>(view.data())));
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            tensor.extents.push_back(view.extent(axis));
            tensor.strides.push_back(view.stride(axis));
        }
        tensors.push_back(std::move(tensor));
    }
    static double value(const void* element) {
        return static_cast<double>(static_cast<float>(*static_cast<const plain*>(element)));
    }
};

template <class P> struct handed<optional<P>> {
    using type = optional<typename handed<P>::type>;
    static optional<P> over(const type& value, const DeviceRuns& runs) {
        return value ? optional<P>(handed<P>::over(*value, runs)) : optional<P>();
    }
    static void list(const type& value, const char* parameter, std::vector<DeviceTensor>& tensors) {
        if (value) handed<P>::list(*value, parameter, tensors);
    }
};

/// `Function` names an attempt's function (address) and its parameters (names); `call` is what stands in the table of
/// functions. The last parameter is the stream.
template <class Function, class Type, class Numbers> struct device_call;
template <class Function, class... P, std::size_t... I>
struct device_call<Function, void(P...), std::index_sequence<I...>> {
    using All = std::tuple<P...>;
    template <std::size_t N> using parameter = handed<std::tuple_element_t<N, All>>;
    static_assert(std::is_same_v<std::tuple_element_t<sizeof...(I), All>, cudaStream_t>);

    static void call(typename parameter<I>::type... arguments) {
        std::vector<DeviceTensor> tensors;
        (parameter<I>::list(arguments, name_at(Function::names, I), tensors), ...);
        for (DeviceRuns runs(std::move(tensors)); runs.next(); runs.finish()) {
            try {
                Function::address(parameter<I>::over(arguments, runs)..., runs.stream());
            } catch (...) {
                runs.failed();
                throw;
            }
        }
    }
};

template <class Function, class... P> constexpr auto device_call_of(void (*)(P...)) {
    return &device_call<Function, void(P...), std::make_index_sequence<sizeof...(P) - 1>>::call;
}

} // namespace assay

#endif
